const guest = 'Noor';
console.log(`Welcome, ${guest}!`);
