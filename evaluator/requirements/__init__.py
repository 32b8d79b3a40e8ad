"""What a brief asks for, read once: `read_requirements(brief)`, and which components and trials it is about."""

from evaluator.requirements.model import Requirement, Requirements
from evaluator.requirements.reader import read_requirements

__all__ = ["Requirement", "Requirements", "read_requirements"]
