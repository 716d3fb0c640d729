const day = 'Friday';
console.log(day);
