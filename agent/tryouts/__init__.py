"""Trials tried on an app from beginning to end (`assay try`): the app opened, the file carried out, what is said of it."""
