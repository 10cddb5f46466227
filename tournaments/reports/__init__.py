"""What a tournament came to, for people and for programs: one summary, several printers."""
