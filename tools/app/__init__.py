"""Opening a subject, serving it, and letting it go again."""
