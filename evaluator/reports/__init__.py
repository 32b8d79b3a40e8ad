"""Verdicts for people and machines: JSON, HTML, terminal.

`as_json.write_json`, `as_html.write_html` and `as_terminal.print_summary`. Import them only where used: the page needs OpenCV.
"""
