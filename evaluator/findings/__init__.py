"""From sealed rows to what the app is accused of."""
