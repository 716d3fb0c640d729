const guest = prompt();

console.log(`Welcome, ${guest}!`);
console.log('The tour begins at 10:00.');
