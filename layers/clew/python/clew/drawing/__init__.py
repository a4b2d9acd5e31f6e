"""Pictures of what surrounds an entity in a knowledge graph."""
