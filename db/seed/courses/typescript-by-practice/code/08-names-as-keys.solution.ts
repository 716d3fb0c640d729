type Size = 'small' | 'medium' | 'large';

const PRICES: Record<Size, number> = { small: 2.5, medium: 3, large: 4 };

function price(size: Size): number {
  return PRICES[size];
}

console.log(price('small'));
