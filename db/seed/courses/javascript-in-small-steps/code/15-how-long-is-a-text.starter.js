const word = 'banana';
console.log(word);
