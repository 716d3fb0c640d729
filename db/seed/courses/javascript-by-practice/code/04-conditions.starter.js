function shipping(kilograms) {
  if (kilograms < 1) return 4;
  return 7;
}

console.log(shipping(2));
