function countBig(numbers) {
  let count = 0;
  for (const number of numbers) {
    if (number > 10) {
      count += 1;
    }
  }
  return count;
}
console.log(countBig([5, 20, 30]));
