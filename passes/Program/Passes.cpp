// Anchor of the program level pass library; one pass per file beside it.
