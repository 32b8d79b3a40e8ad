"""Failures met again in a fresh browser, with the control experiment that tells a defect from its innocent twin."""
