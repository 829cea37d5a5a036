"""For pyright: an ``i64`` is an int. The stub that pyright brings with it makes classes of their own of them."""

i64 = int
