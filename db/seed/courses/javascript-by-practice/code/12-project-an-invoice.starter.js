const lines = [
  { name: 'Lamp', quantity: 2, cents: 1990 },
  { name: 'Cable', quantity: 1, cents: 500 },
];

function money(cents) {
  return `$${cents / 100}`;
}

function lineTotal(line) {
  return line.quantity * line.cents;
}

function calculate(lines, { discount, tax }) {
  return { subtotal: 0, discount: 0, tax: 0, total: 0 };
}

function invoiceText(lines, options) {
  return `Total: ${money(calculate(lines, options).total)}`;
}

console.log(invoiceText(lines, { discount: 10, tax: 20 }));
