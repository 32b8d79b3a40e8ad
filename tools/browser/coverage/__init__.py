"""Which of the app's own code ran: Chromium's precise coverage, read while app time stands, libraries set aside."""
