// Anchor of the plan level pass library; one pass per file beside it.
