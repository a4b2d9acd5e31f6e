"""Making a message stand alone by rule, and telling cheaply whether one may need it."""

from clew.answering.rewriting.leaning import may_lean_on_past
from clew.answering.rewriting.rule import RuleRewriter

__all__ = ["RuleRewriter", "may_lean_on_past"]
