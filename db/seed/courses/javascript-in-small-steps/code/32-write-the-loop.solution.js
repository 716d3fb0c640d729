const prices = [4, 7, 12];
for (const price of prices) {
  console.log(price);
}
