const first = 'salt';
console.log(first);
