const day = 'Friday';
console.log(day === 'Friday');
