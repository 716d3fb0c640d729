function howMany(list) {
  return list.length;
}
console.log(howMany(['cat', 'dog']));
