import { expect, test } from 'vitest';
import { pictureOf } from './layout.ts';
import type { LessonTable } from './schema.ts';

const table = (name: string, ...keys: [column: string, target: string][]): LessonTable => ({
  name,
  columns: [
    { name: 'id', type: 'integer', isKey: true, isRequired: true, references: null },
    ...keys.map(([column, target]) => ({
      name: column,
      type: 'integer',
      isKey: false,
      isRequired: true,
      references: { table: target, column: 'id' },
    })),
  ],
  rows: [],
  hasMore: false,
});

test('what others point at stands to their left, and no two boxes lie on each other', () => {
  const { boxes, lines, width, height } = pictureOf([
    table('items', ['order_id', 'orders'], ['book_id', 'books']),
    table('orders', ['customer_id', 'customers']),
    table('books'),
    table('customers'),
  ]);
  const x = Object.fromEntries(boxes.map((box) => [box.table.name, box.x]));
  expect(x.customers).toBeLessThan(x.orders!);
  expect(x.orders).toBeLessThan(x.items!);
  expect(x.books).toBe(x.customers);
  expect(lines.map(({ from, to }) => `${from} ${to}`)).toEqual([
    'items.order_id orders.id',
    'items.book_id books.id',
    'orders.customer_id customers.id',
  ]);
  for (const box of boxes) {
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
    for (const other of boxes.filter((one) => one !== box && one.x === box.x)) {
      expect(other.y >= box.y + box.height || box.y >= other.y + other.height).toBe(true);
    }
  }
});

test('circles, tables that point at themselves and at none that is there have their place', () => {
  const { boxes, lines } = pictureOf([
    table('a', ['b_id', 'b']),
    table('b', ['a_id', 'a'], ['gone_id', 'gone']),
    table('people', ['boss_id', 'people']),
  ]);
  expect(boxes).toHaveLength(3);
  expect(lines).toHaveLength(3);
  expect(pictureOf([])).toMatchObject({ boxes: [], lines: [] });
});
