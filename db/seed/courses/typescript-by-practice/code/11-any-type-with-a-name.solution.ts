function firstByName<T extends { name: string }>(items: readonly T[]): T | undefined {
  return [...items].sort((a, b) => a.name.localeCompare(b.name))[0];
}

console.log(firstByName([{ name: 'Grace' }, { name: 'Ada' }]));
