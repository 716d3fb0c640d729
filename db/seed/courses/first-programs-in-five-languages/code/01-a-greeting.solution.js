function greet(name) {
  const clean = name.trim();
  if (!clean) return 'Hello, stranger!';
  return `Hello, ${clean}!`;
}

console.log(greet('Ada'));
