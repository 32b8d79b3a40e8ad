"""How far raters agree: pairs, rankings, correlations, chance-corrected coefficients, with bootstrap intervals."""
