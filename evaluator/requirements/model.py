from __future__ import annotations
from dataclasses import dataclass
@dataclass(frozen=True)
class Requirement:
    id:str
    words:str
    span:tuple[int,int]
    behaviour:str
    central:float
@dataclass(frozen=True)
class Requirements:
    all:tuple[Requirement,...]
    whole:str=""
    language:str=""
