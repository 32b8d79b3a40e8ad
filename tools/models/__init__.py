"""Language models: one protocol for every role, whoever serves them; each call is budgeted, priced and written down."""
