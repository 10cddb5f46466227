"""Who answers for a seat: a remote bot, a child process, one of our own."""
