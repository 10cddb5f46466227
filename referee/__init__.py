"""Referees games of Parcheesi between bots: rules, order of play, clocks, records."""

__version__ = "0.1.0"
