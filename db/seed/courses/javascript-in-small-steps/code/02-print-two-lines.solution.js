console.log('Good morning!');
console.log('Good night!');
