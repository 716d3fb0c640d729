function area(width, height) {
  return width * height;
}
console.log(area(3, 4));
