function addStop(route, stop) {
  route.push(stop);
  return route;
}

function ends(route) {
  return [route[0], route[1]];
}

console.log(JSON.stringify(addStop(['Pier', 'Mill'], 'Tower')));
