"""Rule lists as a report: one HTML page."""
