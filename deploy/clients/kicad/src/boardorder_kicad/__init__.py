"""Prices of the board that is open in KiCad, and findings marked on it."""
