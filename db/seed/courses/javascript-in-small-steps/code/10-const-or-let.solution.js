let age = 29;
console.log(age);
age = 30;
console.log(age);
