"""What is checked of an uploaded file, without and with running it."""
