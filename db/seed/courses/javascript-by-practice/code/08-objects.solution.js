function discounted(item, percent) {
  return { ...item, cents: Math.round((item.cents * (100 - percent)) / 100) };
}

function missing(order, stock) {
  const names = [];
  for (const [name, count] of Object.entries(order)) {
    if (count > (stock[name] ?? 0)) names.push(name);
  }
  return names;
}

console.log(JSON.stringify(missing({ lamp: 2, cable: 5 }, { lamp: 3, cable: 4 })));
