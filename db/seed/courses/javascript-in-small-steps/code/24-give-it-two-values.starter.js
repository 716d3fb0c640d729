function area(width, height) {
  return width;
}
console.log(area(3, 4));
