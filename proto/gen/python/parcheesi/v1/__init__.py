"""Version 1 of the contract. Made by `make proto`."""
