const city = '';
console.log(city);
