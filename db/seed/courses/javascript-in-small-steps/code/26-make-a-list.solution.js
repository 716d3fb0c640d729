const fruits = ['apple', 'pear', 'plum'];
console.log(fruits);
