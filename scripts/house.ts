import { GAUGES, type Gauge, mass, product, read } from '../tests/house/gauges.ts';
import { LIMITS, MASS } from '../tests/house/limits.ts';

// Prints what the house promises to stay below, and what is over: `npm run house`. `tests/house.test.ts` holds it.

for (const [name, value] of mass()) {
  const limit = MASS[name]?.toLocaleString('en-US') ?? 'none';
  console.log(`${name}: ${value.toLocaleString('en-US')} (limit ${limit})`);
}
const lines = product.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);
console.log(`lines of the product: ${lines.toLocaleString('en-US')} in ${product.length} files`);
for (const [gauge, measure] of Object.entries(GAUGES)) {
  const limit = LIMITS[gauge as Gauge];
  const over = [...measure()].filter(([, value]) => value > limit).sort((a, b) => b[1] - a[1]);
  console.log(`${gauge}, over ${limit}: ${over.length}`);
  for (const [name, value] of over) console.log(`  ${value} ${name}`);
}
