"""Runs matches: the floor that waits for answers and watches the clock."""
