function readAge(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  if (value === '') return null;
  const age = Number(value);
  return Number.isNaN(age) || age < 0 ? null : age;
}

console.log(readAge('36'));
