function rental(hours, helmets = 0) {
  return 3 + hours * 3 + helmets * 2;
}

console.log(rental(3));
