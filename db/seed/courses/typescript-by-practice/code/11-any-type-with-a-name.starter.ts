function firstByName(items: { name: string }[]) {
  return items[0];
}

console.log(firstByName([{ name: 'Grace' }, { name: 'Ada' }]));
