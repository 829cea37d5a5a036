"""What a broken log most probably should have said."""
