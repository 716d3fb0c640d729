const mia = 17;
const leo = 18;
console.log(mia);
console.log(leo);
