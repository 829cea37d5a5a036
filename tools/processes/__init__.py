"""Work shared by several processes."""
