function ticket(age) {
  if (false) {
    return 5;
  }
  return 8;
}
console.log(ticket(10));
