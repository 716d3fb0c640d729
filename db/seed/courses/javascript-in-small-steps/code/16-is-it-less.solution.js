const mia = 17;
const leo = 18;
console.log(mia < 18);
console.log(leo < 18);
