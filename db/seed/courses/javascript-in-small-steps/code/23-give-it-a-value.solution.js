function double(number) {
  return number * 2;
}
console.log(double(5));
