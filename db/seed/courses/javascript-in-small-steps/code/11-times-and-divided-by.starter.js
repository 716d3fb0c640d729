const hours = 3;
console.log(hours + 60);
