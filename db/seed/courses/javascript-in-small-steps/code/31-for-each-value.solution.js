const guests = ['Ada', 'Noor', 'Li'];
for (const guest of guests) {
  console.log(guest);
}
