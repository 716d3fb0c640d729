const guest = prompt();

console.log('Welcome!');
