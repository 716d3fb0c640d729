function startingWith(names: string[], letter: string): string[] {
  names.sort();
  return names;
}

console.log(startingWith(['Ada', 'Bo', 'Al'], 'A'));
