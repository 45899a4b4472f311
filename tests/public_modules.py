"""The modules that are public."""

#: What users import from; every other module may change at any time.
PUBLIC_MODULES = [
    "hedgerow",
    "hedgerow.baselines",
    "hedgerow.constraints",
    "hedgerow.evidence",
    "hedgerow.exceptions",
    "hedgerow.fidelity",
    "hedgerow.losses",
    "hedgerow.plotting",
    "hedgerow.smoothing",
    "hedgerow.solvers",
    "hedgerow.sources",
    "hedgerow.stabilities",
    "hedgerow.tables",
    "hedgerow.teachers",
]
