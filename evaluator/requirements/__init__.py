"""What is asked for, read once: `asked(brief, language, checklist)`, and which components and trials it is about."""

from evaluator.requirements.listed import asked, listed, read_items
from evaluator.requirements.model import Requirement, Requirements
from evaluator.requirements.reader import read_requirements

__all__ = ["Requirement", "Requirements", "asked", "listed", "read_items", "read_requirements"]
