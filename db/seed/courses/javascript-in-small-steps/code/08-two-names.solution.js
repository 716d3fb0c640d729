const first = 'salt';
console.log(first);
const second = 'pepper';
console.log(second);
