let score = 5;
score = 8;
console.log(score);
