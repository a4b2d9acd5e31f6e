"""The CDK app: one stack, a stage's name for the difference between a laptop and a cloud."""
