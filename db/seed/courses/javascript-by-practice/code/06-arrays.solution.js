function addStop(route, stop) {
  if (route.includes(stop)) return [...route];
  return [...route, stop];
}

function ends(route) {
  if (route.length === 0) return [];
  return [route[0], route.at(-1)];
}

console.log(JSON.stringify(addStop(['Pier', 'Mill'], 'Tower')));
