"""The knowledge graph over Bolt: connection, schema, reading, writing."""
