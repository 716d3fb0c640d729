function double(number) {
  return number;
}
console.log(double(5));
