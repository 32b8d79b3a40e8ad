"""Mutants of web apps: an app's own served scripts and styles, changed in one place.

Operators follow mutation testing (Jia and Harman 2011) and Stryker's catalogue, with those added that the web brings: handlers,
storage, waiting, styles. Reads and writes text only; who serves a mutant is `tools.mutation.serving`.
"""
