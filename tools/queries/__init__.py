"""Query sets and answers: what is asked of models, and what they gave."""
