"""The order of a game between seats: pure. No clock, no random source, no file, no await."""
