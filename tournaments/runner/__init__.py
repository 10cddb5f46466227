"""Plays the tables of a plan until there are none left, and goes on where it was stopped."""
