const prices = [4, 7, 12];
if (false) {
  console.log(price);
}
