import csv
import io
from dataclasses import dataclass

TABLE = """day,category,amount
2026-03-01,rent,600.00
2026-03-02,Food,120.00
2026-03-05,fun,30.00
2026-03-09,food,50.00
"""


def read_expenses(text):
    return []


def totals(expenses):
    return {}


def report(text):
    return "Total: $0.00"


print(report(TABLE))
