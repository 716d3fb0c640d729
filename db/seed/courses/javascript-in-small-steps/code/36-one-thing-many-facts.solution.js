const cat = { name: 'Mia', age: 3 };
console.log(cat.age);
