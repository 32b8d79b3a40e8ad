"""Endpoints on loopback that speak two vendors' wire formats, as scripted by a test; the vendors' own SDKs talk to them."""
