const PRICES = { small: 2.5, medium: 3 };

function price(size: string): number {
  return 0;
}

console.log(price('small'));
