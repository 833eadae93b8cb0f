"""Compiled loops; they need numba.  `compiled.py` loads them."""
