"""Our words to protobuf and back. Loose types stay in here."""
