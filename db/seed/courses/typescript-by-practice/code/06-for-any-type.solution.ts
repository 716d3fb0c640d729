function last<T>(list: readonly T[]): T | undefined {
  return list[list.length - 1];
}

console.log(last([1, 2, 3]));
