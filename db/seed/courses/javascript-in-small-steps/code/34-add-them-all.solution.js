function sum(prices) {
  let total = 0;
  for (const price of prices) {
    total += price;
  }
  return total;
}
console.log(sum([4, 7, 12]));
