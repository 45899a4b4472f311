"""Rule lists as JSON, and back."""
