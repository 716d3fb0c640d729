let points = 10;

console.log(points);
