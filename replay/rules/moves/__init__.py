"""What may come next: every legal move, derived from the rules and not found by trial."""
