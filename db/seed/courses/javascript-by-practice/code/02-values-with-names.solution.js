const adults = Number(prompt());
const children = Number(prompt());

const tickets = adults + children;
const price = adults * 12 + children * 7;

console.log(`Tickets: ${tickets}`);
console.log(`To pay: $${price}`);
