"""What the kits of the two barter games share. The views and the base class run inside the box."""
