function greet() {
  console.log('Hello!');
}
greet();
