"""One evaluation: the LangGraph machine and what its nodes work with."""
