function middle(numbers: number[]): number {
  numbers.sort((a, b) => a - b);
  return numbers[Math.floor(numbers.length / 2)]!;
}

console.log(middle([5, 1, 9]));
