function ticket(age) {
  if (age < 18) {
    return 5;
  }
  return 8;
}
console.log(ticket(10));
