"""Parts of the Linux kernel that boxes are made of."""
