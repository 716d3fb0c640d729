function bill(items) {
  let total = 0;
  for (const item of items) {
    total += item.price;
  }
  return total;
}
console.log(bill([{ price: 3, count: 2 }, { price: 5, count: 1 }]));
