function last(list: readonly unknown[]): unknown {
  return list[0];
}

console.log(last([1, 2, 3]));
