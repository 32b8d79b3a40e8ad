"""What can be acted on: scripts that run beside the page in Assay's own world, and the gathering of what they find."""
