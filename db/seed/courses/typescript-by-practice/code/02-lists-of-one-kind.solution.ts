function startingWith(names: readonly string[], letter: string): string[] {
  return names.filter((name) => name.startsWith(letter));
}

console.log(startingWith(['Ada', 'Bo', 'Al'], 'A'));
