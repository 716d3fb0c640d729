const fruits = ['apple', 'pear'];
console.log(fruits);
