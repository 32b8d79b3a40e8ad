"""Published Playwright specs, run unchanged by Playwright's own test runner (Node) with this machine's Chromium."""
