const days = ['Monday', 'Tuesday', 'Sunday'];
console.log(days);
