"""What works on the project, not in the package: trying what is built, and making a release."""
