"""What the project is measured by: ratios, taken in one run."""
