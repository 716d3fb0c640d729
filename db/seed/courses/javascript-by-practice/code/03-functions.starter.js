function rental(hours, helmets) {
  console.log(hours * 3);
}

console.log(rental(3));
