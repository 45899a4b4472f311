"""Rule lists as SQL."""
