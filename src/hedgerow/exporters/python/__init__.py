"""Rule lists as Python source."""
