const drink = 'tea';
console.log(drink);
