/** A wrong answer, and what is to be said about it; null where nothing is known to be said. */
type Wrong = [code: string, said: RegExp | null];

/** A task as lessons have them: tables, a right answer, two wrong ones, and tests as "input → what is expected". */
export type Task = [what: string, tables: string, right: string, wrong: [Wrong, Wrong], ...tests: string[]];

const SHOP = `CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, city text, joined date NOT NULL);
CREATE TABLE products (id integer PRIMARY KEY, name text NOT NULL UNIQUE, price numeric(6, 2) NOT NULL, stock integer NOT NULL);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers, ordered date NOT NULL);
CREATE TABLE items (
  order_id integer REFERENCES orders,
  product_id integer REFERENCES products,
  quantity integer NOT NULL,
  PRIMARY KEY (order_id, product_id)
);
INSERT INTO customers VALUES (1, 'Ada', 'London', '2024-01-05'), (2, 'Bob', 'Paris', '2024-02-10'), (3, 'Cy', 'London', '2024-03-15'), (4, 'Di', NULL, '2025-01-20');
INSERT INTO products VALUES (1, 'Tea', 4.5, 10), (2, 'Coffee', 7, 0), (3, 'Cup', 12, 5), (4, 'Pot', 30, 2);
INSERT INTO orders VALUES (1, 1, '2025-01-02'), (2, 1, '2025-02-03'), (3, 2, '2025-02-14'), (4, 3, '2025-03-01');
INSERT INTO items VALUES (1, 1, 2), (1, 3, 1), (2, 2, 1), (3, 1, 5), (3, 4, 1), (4, 3, 2);`;

const STAFF = `CREATE TABLE departments (name text PRIMARY KEY, budget integer NOT NULL);
CREATE TABLE people (
  id integer PRIMARY KEY,
  name text NOT NULL,
  boss_id integer REFERENCES people,
  department text REFERENCES departments,
  salary integer NOT NULL,
  hired date NOT NULL
);
INSERT INTO departments VALUES ('Board', 10000), ('Sales', 8000), ('Code', 20000), ('Law', 5000);
INSERT INTO people VALUES
  (1, 'Mia', NULL, 'Board', 9000, '2018-05-01'), (2, 'Noa', 1, 'Sales', 5000, '2019-03-01'),
  (3, 'Ole', 1, 'Code', 6000, '2019-07-15'), (4, 'Pia', 2, 'Sales', 3500, '2021-01-10'),
  (5, 'Quin', 3, 'Code', 4500, '2020-11-01'), (6, 'Rui', 3, 'Code', 4500, '2022-06-20'),
  (7, 'Sol', 5, 'Code', 3000, '2023-02-01');`;

export const TASKS: Task[] = [
  [
    'columns of a table',
    SHOP,
    'SELECT name, city FROM customers',
    [
      ['SELECT name FROM customers', /city/],
      ['SELECT * FROM customers', /id, joined/],
    ],
    'result → name | city\nAda | London\nBob | Paris\nCy | London\nDi | NULL',
  ],
  [
    'rows by a text',
    SHOP,
    "SELECT name FROM customers WHERE city = 'London'",
    [
      ["SELECT name FROM customers WHERE city = 'london'", /text in line 1/],
      ['SELECT name FROM customers WHERE city = London', /single quotes/],
    ],
    'result → name\nAda\nCy',
  ],
  [
    'rows without a value',
    SHOP,
    'SELECT name FROM customers WHERE city IS NULL',
    [
      ['SELECT name FROM customers WHERE city = NULL', /value found that is not there/],
      ["SELECT name FROM customers WHERE city = ''", null],
    ],
    'result → name\nDi',
  ],
  [
    'rows that are not of a city, those without one too',
    SHOP,
    "SELECT name FROM customers WHERE city IS DISTINCT FROM 'London'",
    [
      ["SELECT name FROM customers WHERE city <> 'London'", /NULL/],
      ["SELECT name FROM customers WHERE NOT city = 'London'", /1 row is missing/],
    ],
    'result → name\nBob\nDi',
  ],
  [
    'a range of prices',
    SHOP,
    'SELECT name FROM products WHERE price BETWEEN 7 AND 12',
    [
      ['SELECT name FROM products WHERE price > 7 AND price < 12', /2 rows are missing/],
      ['SELECT name FROM products WHERE price >= 7', /1 row is too much/],
    ],
    'result → name\nCoffee\nCup',
  ],
  [
    'a range of days',
    SHOP,
    "SELECT id FROM orders WHERE ordered >= '2025-02-01' AND ordered < '2025-03-01'",
    [
      ["SELECT id FROM orders WHERE ordered BETWEEN '2025-02-01' AND '2025-03-01'", /1 row is too much/],
      [
        "SELECT id FROM orders WHERE ordered > '2025-02-03' AND ordered < '2025-03-01'",
        /comparison in line 1/,
      ],
    ],
    'result → id\n2\n3',
  ],
  [
    'one of several values',
    SHOP,
    "SELECT name FROM products WHERE name IN ('Tea', 'Pot')",
    [
      ["SELECT name FROM products WHERE name = 'Tea' AND name = 'Pot'", /condition in line 1/],
      ["SELECT name FROM products WHERE name = 'Tea' OR 'Pot'", /whole condition/],
    ],
    'result → name\nTea\nPot',
  ],
  [
    'AND and OR',
    SHOP,
    "SELECT name FROM customers WHERE (city = 'London' OR city = 'Paris') AND joined >= '2024-02-01'",
    [
      [
        "SELECT name FROM customers WHERE city = 'London' OR city = 'Paris' AND joined >= '2024-02-01'",
        /\(a OR b\) AND c/,
      ],
      ["SELECT name FROM customers WHERE city = 'London' AND joined >= '2024-02-01'", /missing/],
    ],
    'result → name\nBob\nCy',
  ],
  [
    'a pattern',
    SHOP,
    "SELECT name FROM products WHERE name LIKE 'C%'",
    [
      ["SELECT name FROM products WHERE name = 'C%'", /LIKE/],
      ["SELECT name FROM products WHERE name LIKE '%c%'", /pattern in line 1/],
    ],
    'result → name\nCoffee\nCup',
  ],
  [
    'an order from large to small',
    SHOP,
    'SELECT name, price FROM products ORDER BY price DESC',
    [
      ['SELECT name, price FROM products ORDER BY price', /order in line 1/],
      ['SELECT name, price FROM products', /ORDER BY/],
    ],
    'result in order → name | price\nPot | 30\nCup | 12\nCoffee | 7\nTea | 4.5',
  ],
  [
    'an order by two columns',
    SHOP,
    'SELECT name, city FROM customers ORDER BY city NULLS FIRST, name DESC',
    [
      ['SELECT name, city FROM customers ORDER BY city, name DESC', /several columns/],
      ['SELECT name, city FROM customers ORDER BY city NULLS FIRST, name', /several columns/],
    ],
    'result in order → name | city\nDi | NULL\nCy | London\nAda | London\nBob | Paris',
  ],
  [
    'the two dearest',
    SHOP,
    'SELECT name FROM products ORDER BY price DESC LIMIT 2',
    [
      ['SELECT name FROM products ORDER BY price DESC', /LIMIT/],
      ['SELECT name FROM products ORDER BY price LIMIT 2', null],
    ],
    'result → name\nPot\nCup',
  ],
  [
    'the second page',
    SHOP,
    'SELECT name FROM products ORDER BY name LIMIT 2 OFFSET 2',
    [
      ['SELECT name FROM products ORDER BY name LIMIT 2', null],
      ['SELECT name FROM products ORDER BY name LIMIT 2 OFFSET 1', null],
    ],
    'result in order → name\nPot\nTea',
  ],
  [
    'each city once',
    SHOP,
    'SELECT DISTINCT city FROM customers WHERE city IS NOT NULL',
    [
      ['SELECT city FROM customers WHERE city IS NOT NULL', /rows in line 1/],
      ['SELECT DISTINCT city FROM customers', /too much/],
    ],
    'result → city\nLondon\nParis',
  ],
  [
    'a column by another name',
    SHOP,
    'SELECT name AS product, price * stock AS value FROM products',
    [
      ['SELECT name, price * stock AS value FROM products', /product/],
      ['SELECT name AS product, price + stock AS value FROM products', /value/],
    ],
    'result → product | value\nTea | 45\nCoffee | 0\nCup | 60\nPot | 60',
  ],
  [
    'a price with tax, rounded',
    SHOP,
    'SELECT name, round(price * 1.19, 2) AS gross FROM products WHERE id < 3',
    [
      ['SELECT name, price * 1.19 AS gross FROM products WHERE id < 3', /round/],
      ['SELECT name, round(price * 1.19) AS gross FROM products WHERE id < 3', null],
    ],
    'result → name | gross\nTea | 5.36\nCoffee | 8.33',
  ],
  [
    'a share of whole numbers',
    STAFF,
    'SELECT name, budget / 3.0 AS third FROM departments WHERE budget = 8000',
    [
      ['SELECT name, budget / 3 AS third FROM departments WHERE budget = 8000', /numeric/],
      ['SELECT name, budget * 3 AS third FROM departments WHERE budget = 8000', /third/],
    ],
    'result → name | third\nSales | 2666.6666666666666667',
  ],
  [
    'CASE',
    SHOP,
    "SELECT name, CASE WHEN stock = 0 THEN 'none' WHEN stock < 5 THEN 'few' ELSE 'many' END AS left FROM products",
    [
      [
        "SELECT name, CASE WHEN stock < 5 THEN 'few' WHEN stock = 0 THEN 'none' ELSE 'many' END AS left FROM products",
        /left/,
      ],
      [
        "SELECT name, CASE WHEN stock = 0 THEN 'none' WHEN stock < 5 THEN 'few' END AS left FROM products",
        null,
      ],
    ],
    'result → name | left\nTea | many\nCoffee | none\nCup | many\nPot | few',
  ],
  [
    'a value for what is missing',
    SHOP,
    "SELECT name, coalesce(city, 'unknown') AS city FROM customers",
    [
      ['SELECT name, city FROM customers', /city/],
      ["SELECT name, nullif(city, 'unknown') AS city FROM customers", /city/],
    ],
    'result → name | city\nAda | London\nBob | Paris\nCy | London\nDi | unknown',
  ],
  [
    'texts put together',
    SHOP,
    "SELECT name || ' (' || coalesce(city, '?') || ')' AS who FROM customers",
    [
      ["SELECT name || ' (' || city || ')' AS who FROM customers", null],
      ["SELECT name + ' (' + coalesce(city, '?') + ')' AS who FROM customers", /\|\|/],
    ],
    'result → who\nAda (London)\nBob (Paris)\nCy (London)\nDi (?)',
  ],
  [
    'parts of a day',
    STAFF,
    'SELECT name, extract(year FROM hired)::integer AS year FROM people WHERE id <= 2',
    [
      ['SELECT name, extract(month FROM hired)::integer AS year FROM people WHERE id <= 2', /year/],
      ['SELECT name, extract(year FROM hired)::text AS year FROM people WHERE id <= 2', /CAST/],
    ],
    'result → name | year:integer\nMia | 2018\nNoa | 2019',
  ],
  [
    'how many rows',
    SHOP,
    'SELECT count(*) AS n FROM customers',
    [
      ['SELECT count(city) AS n FROM customers', null],
      ['SELECT count(DISTINCT city) AS n FROM customers', null],
    ],
    'result → n\n4',
    "given: INSERT INTO customers VALUES (5, 'Eve', NULL, '2025-02-02');\nthen\nresult → n\n5",
  ],
  [
    'how many values',
    SHOP,
    'SELECT count(DISTINCT city) AS n FROM customers',
    [
      ['SELECT count(city) AS n FROM customers', null],
      ['SELECT 2 AS n', null],
    ],
    'result → n\n2',
    "given: INSERT INTO customers VALUES (5, 'Eve', 'Rome', '2025-02-02');\nthen\nresult → n\n3",
  ],
  [
    'a sum over products',
    SHOP,
    'SELECT sum(quantity * price) AS total FROM items JOIN products ON products.id = product_id',
    [
      ['SELECT sum(price) AS total FROM items JOIN products ON products.id = product_id', null],
      ['SELECT sum(quantity * price) AS total FROM items, products', null],
    ],
    'result → total\n104.5',
  ],
  [
    'the dearest and the cheapest',
    SHOP,
    'SELECT max(price) AS dearest, min(price) AS cheapest FROM products',
    [
      ['SELECT min(price) AS dearest, max(price) AS cheapest FROM products', null],
      ['SELECT name, max(price) AS dearest, min(price) AS cheapest FROM products', /GROUP BY/],
    ],
    'result → dearest | cheapest\n30 | 4.5',
  ],
  [
    'a mean in each group',
    STAFF,
    'SELECT department, round(avg(salary)) AS mean FROM people GROUP BY department',
    [
      ['SELECT department, round(avg(salary)) AS mean FROM people GROUP BY department, name', /group/],
      ['SELECT department, avg(salary) AS mean FROM people', /GROUP BY/],
    ],
    'result → department | mean\nBoard | 9000\nSales | 4250\nCode | 4500',
  ],
  [
    'groups of some size',
    STAFF,
    'SELECT department FROM people GROUP BY department HAVING count(*) > 1',
    [
      ['SELECT department FROM people WHERE count(*) > 1 GROUP BY department', /HAVING/],
      ['SELECT department FROM people GROUP BY department HAVING count(*) > 2', /comparison in line 1/],
    ],
    'result → department\nSales\nCode',
  ],
  [
    'rows chosen before they are grouped',
    STAFF,
    "SELECT department, count(*) AS n FROM people WHERE hired >= '2020-01-01' GROUP BY department",
    [
      [
        "SELECT department, count(*) AS n FROM people GROUP BY department HAVING max(hired) >= '2020-01-01'",
        null,
      ],
      [
        'SELECT department, count(*) AS n FROM people GROUP BY department',
        /rows that are not to count are for WHERE/,
      ],
    ],
    'result → department | n\nSales | 1\nCode | 3',
  ],
  [
    'a count under a condition',
    STAFF,
    'SELECT count(*) FILTER (WHERE salary > 4500) AS well, count(*) AS of FROM people',
    [
      ['SELECT count(salary > 4500) AS well, count(*) AS of FROM people', null],
      ['SELECT count(*) AS well, count(*) AS of FROM people WHERE salary > 4500', null],
    ],
    'result → well | of\n3 | 7',
  ],
  [
    'a list in each group',
    STAFF,
    "SELECT department, string_agg(name, ', ' ORDER BY name) AS names FROM people GROUP BY department",
    [
      [
        "SELECT department, string_agg(name, ', ' ORDER BY name DESC) AS names FROM people GROUP BY department",
        /names/,
      ],
      [
        "SELECT department, string_agg(name, ',' ORDER BY name) AS names FROM people GROUP BY department",
        /names/,
      ],
    ],
    'result → department | names\nBoard | Mia\nSales | Noa, Pia\nCode | Ole, Quin, Rui, Sol',
  ],
  [
    'two tables',
    SHOP,
    'SELECT o.id, c.name FROM orders o JOIN customers c ON c.id = o.customer_id',
    [
      ['SELECT o.id, c.name FROM orders o, customers c', /Each row of one table/],
      ['SELECT o.id, c.name FROM orders o JOIN customers c ON c.id = o.id', null],
    ],
    'result → id | name\n1 | Ada\n2 | Ada\n3 | Bob\n4 | Cy',
  ],
  [
    'rows without a partner',
    SHOP,
    'SELECT name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL',
    [
      [
        'SELECT name FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL',
        /join in line 1/,
      ],
      ['SELECT name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id', null],
    ],
    'result → name\nDi',
  ],
  [
    'how many orders each one has',
    SHOP,
    'SELECT name, count(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id',
    [
      [
        'SELECT name, count(*) AS n FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id',
        /Count a column/,
      ],
      [
        'SELECT name, count(o.id) AS n FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id',
        /join in line 1/,
      ],
    ],
    'result → name | n\nAda | 2\nBob | 1\nCy | 1\nDi | 0',
  ],
  [
    'a condition of the outer table',
    SHOP,
    "SELECT name, o.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.ordered >= '2025-02-01'",
    [
      [
        "SELECT name, o.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.ordered >= '2025-02-01'",
        /behind ON/,
      ],
      ['SELECT name, o.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id', null],
    ],
    'result → name | id\nAda | 2\nBob | 3\nCy | 4\nDi | NULL',
  ],
  [
    'four tables',
    SHOP,
    'SELECT DISTINCT c.name, p.name AS product FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE p.price > 10',
    [
      [
        'SELECT DISTINCT c.name, p.name AS product FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id',
        /too much/,
      ],
      [
        'SELECT DISTINCT name, p.name AS product FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE p.price > 10',
        /Say which/,
      ],
    ],
    'result → name | product\nAda | Cup\nBob | Pot\nCy | Cup',
  ],
  [
    'a table beside itself',
    STAFF,
    'SELECT p.name, b.name AS boss FROM people p LEFT JOIN people b ON b.id = p.boss_id WHERE p.id < 4',
    [
      [
        'SELECT p.name, b.name AS boss FROM people p JOIN people b ON b.id = p.boss_id WHERE p.id < 4',
        /join in line 1/,
      ],
      [
        'SELECT p.name, b.name AS boss FROM people p LEFT JOIN people b ON p.id = b.boss_id WHERE p.id < 4',
        null,
      ],
    ],
    'result → name | boss\nMia | NULL\nNoa | Mia\nOle | Mia',
  ],
  [
    'above the mean',
    STAFF,
    'SELECT name FROM people WHERE salary > (SELECT avg(salary) FROM people)',
    [
      ['SELECT name FROM people WHERE salary > avg(salary)', /single rows, before they are grouped/],
      ['SELECT name FROM people WHERE salary > 5500', null],
    ],
    'result → name\nMia\nOle',
    'given: UPDATE people SET salary = 20000 WHERE id = 4;\nthen\nresult → name\nMia\nPia',
  ],
  [
    'above the mean of the own department',
    STAFF,
    'SELECT name FROM people p WHERE salary > (SELECT avg(salary) FROM people WHERE department = p.department)',
    [
      ['SELECT name FROM people p WHERE salary > (SELECT avg(salary) FROM people)', null],
      [
        'SELECT name FROM people p WHERE salary > (SELECT avg(salary) FROM people GROUP BY department)',
        /Use IN instead of =/,
      ],
    ],
    'result → name\nNoa\nOle',
  ],
  [
    'what exists',
    STAFF,
    'SELECT name FROM people p WHERE EXISTS (SELECT FROM people WHERE boss_id = p.id)',
    [
      ['SELECT b.name FROM people p JOIN people b ON b.id = p.boss_id', /rows in line 1/],
      ['SELECT name FROM people WHERE boss_id IS NOT NULL', null],
    ],
    'result → name\nMia\nNoa\nOle\nQuin',
  ],
  [
    'who is nobody’s boss',
    STAFF,
    'SELECT name FROM people p WHERE NOT EXISTS (SELECT FROM people WHERE boss_id = p.id)',
    [
      ['SELECT name FROM people WHERE id NOT IN (SELECT boss_id FROM people)', /NULL/],
      ['SELECT name FROM people WHERE boss_id IS NULL', null],
    ],
    'result → name\nPia\nRui\nSol',
  ],
  [
    'the names of both tables',
    STAFF,
    'SELECT name FROM departments EXCEPT SELECT department FROM people',
    [
      ['SELECT name FROM departments UNION SELECT department FROM people', null],
      ['SELECT department FROM people EXCEPT SELECT name FROM departments', /are to be called name/],
    ],
    'result → name\nLaw',
  ],
  [
    'two lists below each other',
    STAFF,
    'SELECT department FROM people WHERE salary > 5000 UNION ALL SELECT name FROM departments WHERE budget > 9000',
    [
      [
        'SELECT department FROM people WHERE salary > 5000 UNION SELECT name FROM departments WHERE budget > 9000',
        /rows in line 1/,
      ],
      ['SELECT department FROM people WHERE salary > 5000', /2 rows are missing/],
    ],
    'result → department\nBoard\nCode\nBoard\nCode',
  ],
  [
    'a query with a name',
    SHOP,
    'WITH totals AS (SELECT order_id, sum(quantity * price) AS total FROM items JOIN products p ON p.id = product_id GROUP BY order_id) SELECT order_id FROM totals WHERE total > 22',
    [
      [
        'WITH totals AS (SELECT order_id, sum(price) AS total FROM items JOIN products p ON p.id = product_id GROUP BY order_id) SELECT order_id FROM totals WHERE total > 22',
        null,
      ],
      ['SELECT order_id FROM totals WHERE total > 22', /totals/],
    ],
    'result → order_id\n3\n4',
  ],
  [
    'all below one person',
    STAFF,
    'WITH RECURSIVE below AS (SELECT id, name FROM people WHERE boss_id = 3 UNION ALL SELECT p.id, p.name FROM people p JOIN below b ON p.boss_id = b.id) SELECT name FROM below',
    [
      ['SELECT name FROM people WHERE boss_id = 3', null],
      [
        'WITH RECURSIVE below AS (SELECT id, name FROM people WHERE id = 3 UNION ALL SELECT p.id, p.name FROM people p JOIN below b ON p.boss_id = b.id) SELECT name FROM below',
        null,
      ],
    ],
    'result → name\nQuin\nRui\nSol',
  ],
  [
    'a series of days',
    SHOP,
    "SELECT d::date AS day, count(o.id) AS n FROM generate_series(date '2025-02-02', '2025-02-04', '1 day') d LEFT JOIN orders o ON o.ordered = d GROUP BY d",
    [
      [
        "SELECT ordered AS day, count(*) AS n FROM orders WHERE ordered BETWEEN '2025-02-02' AND '2025-02-04' GROUP BY ordered",
        null,
      ],
      [
        "SELECT d::date AS day, count(*) AS n FROM generate_series(date '2025-02-02', '2025-02-04', '1 day') d LEFT JOIN orders o ON o.ordered = d GROUP BY d",
        /Count a column/,
      ],
    ],
    'result → day | n\n2025-02-02 | 0\n2025-02-03 | 1\n2025-02-04 | 0',
  ],
  [
    'a rank',
    STAFF,
    "SELECT name, rank() OVER (ORDER BY salary DESC) AS place FROM people WHERE department = 'Code'",
    [
      [
        "SELECT name, row_number() OVER (ORDER BY salary DESC, id) AS place FROM people WHERE department = 'Code'",
        null,
      ],
      [
        "SELECT name, rank() OVER (ORDER BY salary) AS place FROM people WHERE department = 'Code'",
        /stand in other rows/,
      ],
    ],
    'result → name | place\nOle | 1\nQuin | 2\nRui | 2\nSol | 4',
  ],
  [
    'a sum that runs',
    STAFF,
    'SELECT name, sum(salary) OVER (ORDER BY id) AS so_far FROM people WHERE id < 4',
    [
      ['SELECT name, sum(salary) OVER () AS so_far FROM people WHERE id < 4', null],
      ['SELECT name, sum(salary) AS so_far FROM people WHERE id < 4 GROUP BY name', null],
    ],
    'result → name | so_far\nMia | 9000\nNoa | 14000\nOle | 20000',
  ],
  [
    'the first of each group',
    STAFF,
    'SELECT DISTINCT ON (department) department, name FROM people ORDER BY department, hired DESC',
    [
      ['SELECT DISTINCT ON (department) department, name FROM people ORDER BY department, hired', null],
      ['SELECT DISTINCT department, name FROM people', /too much/],
    ],
    'result → department | name\nBoard | Mia\nCode | Sol\nSales | Pia',
  ],
  [
    'the row before',
    STAFF,
    'SELECT name, lag(name) OVER (ORDER BY hired) AS before FROM people WHERE id < 4',
    [
      ['SELECT name, lead(name) OVER (ORDER BY hired) AS before FROM people WHERE id < 4', null],
      ['SELECT name, lag(name) AS before FROM people WHERE id < 4', /OVER/],
    ],
    'result → name | before\nMia | NULL\nNoa | Mia\nOle | Noa',
  ],
  [
    'rows that are added',
    SHOP,
    "INSERT INTO products (id, name, price, stock) VALUES (5, 'Spoon', 2, 40)",
    [
      ["INSERT INTO products VALUES (5, 'Spoon', 40, 2)", null],
      ["INSERT INTO products (id, name, price) VALUES (5, 'Spoon', 2)", /stock/],
    ],
    'table products → id | name | price | stock\n1 | Tea | 4.5 | 10\n2 | Coffee | 7 | 0\n3 | Cup | 12 | 5\n4 | Pot | 30 | 2\n5 | Spoon | 2 | 40',
  ],
  [
    'rows that are changed',
    SHOP,
    "UPDATE products SET price = price * 2 WHERE name LIKE 'C%'",
    [
      ['UPDATE products SET price = price * 2', /changes every row/],
      ["UPDATE products SET price = 2 WHERE name LIKE 'C%'", null],
    ],
    'SELECT name, price FROM products ORDER BY id → name | price\nTea | 4.5\nCoffee | 14\nCup | 24\nPot | 30',
  ],
  [
    'rows that are changed by another table',
    SHOP,
    'UPDATE products p SET stock = stock - i.quantity FROM items i WHERE i.product_id = p.id AND i.order_id = 1',
    [
      ['UPDATE products p SET stock = stock - i.quantity FROM items i WHERE i.order_id = 1', null],
      [
        'UPDATE products p SET stock = i.quantity FROM items i WHERE i.product_id = p.id AND i.order_id = 1',
        null,
      ],
    ],
    'SELECT name, stock FROM products ORDER BY id → name | stock\nTea | 8\nCoffee | 0\nCup | 4\nPot | 2',
  ],
  [
    'rows that are deleted, with what refers to them',
    SHOP,
    'DELETE FROM items WHERE order_id = 4; DELETE FROM orders WHERE id = 4;',
    [
      ['DELETE FROM orders WHERE id = 4', /still point at this row/],
      ['DELETE FROM items; DELETE FROM orders WHERE id = 4;', /deletes every row/],
    ],
    'SELECT count(*) AS orders, (SELECT count(*) FROM items) AS items FROM orders → orders | items\n3 | 5',
  ],
  [
    'a row that is there already',
    SHOP,
    "INSERT INTO products VALUES (9, 'Tea', 5, 3) ON CONFLICT (name) DO UPDATE SET stock = products.stock + excluded.stock",
    [
      ["INSERT INTO products VALUES (9, 'Tea', 5, 3)", /already/],
      ["INSERT INTO products VALUES (9, 'Tea', 5, 3) ON CONFLICT DO NOTHING", null],
    ],
    "SELECT id, stock FROM products WHERE name = 'Tea' → id | stock\n1 | 13",
  ],
  [
    'all or nothing',
    SHOP,
    'BEGIN; UPDATE products SET stock = stock - 1 WHERE id = 1; UPDATE products SET stock = stock + 1 WHERE id = 2; COMMIT;',
    [
      [
        'BEGIN; UPDATE products SET stock = stock - 1 WHERE id = 1; UPDATE products SET stock = stock + 1 WHERE id = 2;',
        /never committed/,
      ],
      ['BEGIN; UPDATE products SET stock = stock - 1 WHERE id = 1; ROLLBACK;', null],
    ],
    'SELECT id, stock FROM products WHERE id < 3 ORDER BY id → id | stock\n1 | 9\n2 | 1',
  ],
  [
    'a table with its rules',
    SHOP,
    'CREATE TABLE reviews (product_id integer NOT NULL REFERENCES products, stars integer NOT NULL CHECK (stars BETWEEN 1 AND 5))',
    [
      [
        'CREATE TABLE reviews (product_id integer NOT NULL REFERENCES products, stars integer NOT NULL)',
        /refused/,
      ],
      [
        'CREATE TABLE reviews (product_id integer NOT NULL, stars integer NOT NULL CHECK (stars BETWEEN 1 AND 5))',
        /refused/,
      ],
    ],
    'refused: INSERT INTO reviews VALUES (1, 6) → check_violation',
    'refused: INSERT INTO reviews VALUES (77, 5) → foreign_key_violation',
    'refused: INSERT INTO reviews VALUES (1, NULL) → not_null_violation',
    'refused: INSERT INTO reviews VALUES (1, 5) → accepted',
  ],
  [
    'a column with a default',
    SHOP,
    "ALTER TABLE customers ADD COLUMN level text NOT NULL DEFAULT 'new'",
    [
      ['ALTER TABLE customers ADD COLUMN level text', null],
      ['ALTER TABLE customers ADD COLUMN level text NOT NULL', /DEFAULT/],
    ],
    "SELECT count(*) AS n FROM customers WHERE level = 'new' → n\n4",
  ],
  [
    'a view',
    SHOP,
    'CREATE VIEW sold AS SELECT p.name, sum(quantity) AS n FROM products p JOIN items ON product_id = p.id GROUP BY p.name',
    [
      [
        'CREATE VIEW sold AS SELECT p.name, count(*) AS n FROM products p JOIN items ON product_id = p.id GROUP BY p.name',
        null,
      ],
      [
        'SELECT p.name, sum(quantity) AS n FROM products p JOIN items ON product_id = p.id GROUP BY p.name',
        /sold/,
      ],
    ],
    'table sold → name | n\nTea | 7\nCoffee | 1\nCup | 3\nPot | 1',
  ],
  [
    'who bought what in a city',
    SHOP,
    "SELECT c.name, p.name AS product FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE c.city = 'Paris'",
    [
      [
        "SELECT c.name, p.name AS product FROM customers c, orders o, items i, products p WHERE c.city = 'Paris'",
        /94 rows are too much/,
      ],
      [
        "SELECT c.name, p.name AS product FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id JOIN products p ON p.id = i.quantity WHERE c.city = 'Paris'",
        null,
      ],
    ],
    'result → name | product\nBob | Tea\nBob | Pot',
  ],
  [
    'the boss of each person',
    STAFF,
    'SELECT p.name, b.name AS boss FROM people p JOIN people b ON b.id = p.boss_id WHERE p.department = b.department',
    [
      [
        'SELECT p.name, b.name AS boss FROM people p JOIN people b ON b.id = p.id WHERE p.department = b.department',
        null,
      ],
      [
        'SELECT p.name, b.name AS boss FROM people p JOIN people b ON b.boss_id = p.id WHERE p.department = b.department',
        /4 rows are not as asked for/,
      ],
    ],
    'result → name | boss\nPia | Noa\nQuin | Ole\nRui | Ole\nSol | Quin',
  ],
];
