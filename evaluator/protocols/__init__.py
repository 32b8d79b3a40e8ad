"""Published benchmarks: their cases, their scores, and where their code departs from their papers."""
