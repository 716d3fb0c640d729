function readAge(value: any) {
  return Number(value);
}

console.log(readAge('36'));
