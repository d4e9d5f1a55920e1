// Anchor of the kernel level pass library; one pass per file beside it.
