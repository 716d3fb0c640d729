const lines = [
  { name: 'Lamp', quantity: 2, cents: 1990 },
  { name: 'Cable', quantity: 1, cents: 500 },
];

function money(cents) {
  return `$${(cents / 100).toFixed(2)}`;
}

function lineTotal({ name, quantity, cents }) {
  if (!Number.isInteger(quantity) || quantity <= 0) throw new RangeError(`Bad quantity: ${name}`);
  return quantity * cents;
}

function calculate(lines, { discount = 0, tax = 0 } = {}) {
  const subtotal = lines.reduce((sum, line) => sum + lineTotal(line), 0);
  const reduction = Math.round((subtotal * discount) / 100);
  const taxAmount = Math.round(((subtotal - reduction) * tax) / 100);
  return { subtotal, discount: reduction, tax: taxAmount, total: subtotal - reduction + taxAmount };
}

function invoiceText(lines, options) {
  const { discount, tax, total } = calculate(lines, options);
  const rows = lines.map((line) => `${line.quantity} x ${line.name}: ${money(lineTotal(line))}`);
  if (discount !== 0) rows.push(`Discount: -${money(discount)}`);
  if (tax !== 0) rows.push(`Tax: ${money(tax)}`);
  rows.push(`Total: ${money(total)}`);
  return rows.join('\n');
}

console.log(invoiceText(lines, { discount: 10, tax: 20 }));
