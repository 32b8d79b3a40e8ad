"""What selects, tabs, chips and toggles do."""
