"""How long a test waits for what must happen."""

PATIENCE_S = 30
"""Whatever happens at all has happened by then, on however busy a machine."""
