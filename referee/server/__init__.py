"""gRPC: streams in, players out; health; the rules as a service; shutdown."""
