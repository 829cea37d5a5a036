"""What may come next: every legal move, made from the rules and not by trial."""
