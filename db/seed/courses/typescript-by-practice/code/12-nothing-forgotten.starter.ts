function divide(a: number, b: number): number {
  return a / b;
}

function show(result: number): string {
  return String(result);
}

console.log(show(divide(6, 3)));
