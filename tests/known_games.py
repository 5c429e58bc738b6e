"""Games that many tests play: their plies are letters of pits, as in a transcript."""

PRINTED = "cajmdimhckdmjbhemidkmlmjchdkelm"
"""The sample game of the rule sheet: 31 sowings under `both-stores-6x4`, 25:23."""

SHORT = "abgbeagfag"
"""A golden game of `both-stores-3x3`: South sows twice to begin with."""
