"""The trigger language: parsed to one tree, rendered, written as JSON, evaluated. Import what you need from its modules."""
