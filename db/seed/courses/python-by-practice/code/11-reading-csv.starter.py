import csv
import io

STOCK = """name,count,price
Hammer,12,19.90
"Glue, strong",2,3.50
"""


def read_stock(text):
    items = []
    for line in text.split("\n"):
        items.append(line.split(","))
    return items


def to_order(text, minimum):
    return []


print(to_order(STOCK, 5))
