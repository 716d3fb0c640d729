function shipping(kilograms) {
  if (kilograms <= 0) return 'invalid';
  if (kilograms <= 1) return 4;
  if (kilograms <= 5) return 7;
  if (kilograms <= 20) return 12;
  return 'pickup only';
}

console.log(shipping(2));
