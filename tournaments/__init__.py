"""Plays many games of Parcheesi, goes on after any stop, and says who is better and how sure that is."""
