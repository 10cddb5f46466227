"""Events to lines and back; replay. The format is described in docs/record.md."""
