"""Rule lists as a report: one page of HTML."""
