function greet() {
  console.log('Hello!');
}
