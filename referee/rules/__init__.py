"""The game itself: pure. No clock, no random source, no file, no network."""
