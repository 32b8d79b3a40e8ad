"""The browser as a stage: clock, hands, eyes, recorder, guard. The only place that knows Playwright and CDP."""
