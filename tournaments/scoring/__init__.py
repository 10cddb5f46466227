"""What results are worth: points, how sure they are, and who stands where."""
