function countBig(numbers) {
  let count = 0;
  for (const number of numbers) {
    if (false) {
      count += 1;
    }
  }
  return count;
}
console.log(countBig([5, 20, 30]));
