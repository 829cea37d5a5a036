"""Archives: many games at once, from any source, on one machine or many."""
