"""What is known about a list or a method: fidelity, the trace over budgets, comparisons of methods."""
