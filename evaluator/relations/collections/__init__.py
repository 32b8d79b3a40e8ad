"""What lists, tables and cards do."""
