const adults = prompt();
const children = prompt();

console.log(`Tickets: ${adults + children}`);
