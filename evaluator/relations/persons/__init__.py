"""What one person may see, and have, while others use the app as well."""
