"""The OpenAPI document of the HTTP interface, made from the models that requests and answers are of."""
