let score = 5;

console.log(score);
