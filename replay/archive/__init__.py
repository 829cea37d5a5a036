"""Archives: many games at once, from wherever they lie, on one machine and on many."""
