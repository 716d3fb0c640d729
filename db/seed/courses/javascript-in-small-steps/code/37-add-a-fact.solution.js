const book = { title: 'Dune', pages: 412 };
console.log(book);
