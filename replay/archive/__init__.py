"""Archives: many games at once, from anywhere, on one machine or many."""
