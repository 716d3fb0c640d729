const guest = 'Noor';
console.log('Hello, ' + guest);
