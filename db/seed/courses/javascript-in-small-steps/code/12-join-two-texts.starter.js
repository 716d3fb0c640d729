const first = 'sun';
const second = 'flower';
console.log(first);
