interface Drink {
  name: string;
  price: number;
}

const menu: Drink[] = [
  { name: 'Tea', price: 3 },
  { name: 'Coffee', price: 4 },
  { name: 'Water', price: 0 },
];

function priceOf(name: string): number | null {
  const found = menu.find((drink) => drink.name === name);
  return found?.price ?? null;
}

console.log(priceOf('Tea'));
