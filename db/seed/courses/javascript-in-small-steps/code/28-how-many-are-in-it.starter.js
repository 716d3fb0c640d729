function howMany(list) {
  return 0;
}
console.log(howMany(['cat', 'dog']));
