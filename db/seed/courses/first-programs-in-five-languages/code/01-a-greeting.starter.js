function greet(name) {
  return 'Hello!';
}

console.log(greet('Ada'));
