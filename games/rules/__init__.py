"""The rules as values: a position and a pit go in, a sowing comes out. Standard library only, and no players."""
