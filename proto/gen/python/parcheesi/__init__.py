"""The contract between bots and the referee, as Python code. Made by `make proto`."""
