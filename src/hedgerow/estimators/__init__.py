"""scikit-learn's interface: the classifier, the regressor, and their cross-validated versions."""
