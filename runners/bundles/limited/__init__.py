"""What runs in a limited child: programs that open what strangers sent, and run nothing of it."""
