const book = { title: 'Dune' };
console.log(book);
