let points = 10;
points += 5;
console.log(points);
