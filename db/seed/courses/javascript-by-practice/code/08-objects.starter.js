function discounted(item, percent) {
  item.cents = item.cents - percent;
  return item;
}

function missing(order, stock) {
  return Object.keys(order);
}

console.log(JSON.stringify(missing({ lamp: 2, cable: 5 }, { lamp: 3, cable: 4 })));
