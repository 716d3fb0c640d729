const city = 'Lima';
console.log(city);
