import csv
import io

STOCK = """name,count,price
Hammer,12,19.90
"Glue, strong",2,3.50
"""


def read_stock(text):
    return [
        {"name": row["name"].strip(), "count": int(row["count"]), "price": float(row["price"])}
        for row in csv.DictReader(io.StringIO(text))
    ]


def to_order(text, minimum):
    return sorted(item["name"] for item in read_stock(text) if item["count"] < minimum)


print(to_order(STOCK, 5))
