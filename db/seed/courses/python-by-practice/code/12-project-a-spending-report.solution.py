import csv
import io
from dataclasses import dataclass

TABLE = """day,category,amount
2026-03-01,rent,600.00
2026-03-02,Food,120.00
2026-03-05,fun,30.00
2026-03-09,food,50.00
"""


@dataclass
class Expense:
    day: str
    category: str
    cents: int


def read_expenses(text):
    expenses = []
    reader = csv.DictReader(io.StringIO(text))
    for row in reader:
        amount = row["amount"].strip()
        try:
            cents = round(float(amount) * 100)
        except ValueError:
            raise ValueError(f"line {reader.line_num}: bad amount {amount!r}")
        expenses.append(Expense(row["day"].strip(), row["category"].strip().lower(), cents))
    return expenses


def totals(expenses):
    sums = {}
    for expense in expenses:
        sums[expense.category] = sums.get(expense.category, 0) + expense.cents
    return sums


def report(text):
    sums = totals(read_expenses(text))
    if not sums:
        return "Nothing spent"
    total = sum(sums.values())
    lines = []
    for category, cents in sorted(sums.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"{category}: ${cents / 100:.2f} ({cents / total * 100:.0f}%)")
    lines.append(f"Total: ${total / 100:.2f}")
    return "\n".join(lines)


print(report(TABLE))
