import { expect, it } from 'vitest';
import { paymentOf, splitName, successPath } from './direct-purchase.ts';

it('names the buyer and the course in the return address, escaped', () => {
  const path = successPath(7, { email: 'a+b@example.com', firstName: 'Ada & Co', lastName: "O'Neil" });
  const address = new URL(path, 'http://localhost');
  expect(path).toContain('email=a%2Bb%40example.com');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    course: '7',
    email: 'a+b@example.com',
    firstName: 'Ada & Co',
    lastName: "O'Neil",
  });
});

it.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['  Ada   King Lovelace ', 'Ada', 'King Lovelace'],
  ['Plato', 'Plato', ''],
  ['', '', ''],
])('splits the name %j', (name, firstName, lastName) => {
  expect(splitName(name)).toEqual({ firstName, lastName });
});

it('takes a payment from an address only where both parts have their form', () => {
  const read = (query: string) => paymentOf(new URL(`http://localhost/purchase-success?${query}`));
  expect(read('payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2')).toEqual({
    paymentIntentId: 'pi_1',
    clientSecret: 'pi_1_secret_2',
  });
  for (const query of [
    '',
    'payment_intent=pi_1',
    'payment_intent_client_secret=pi_1_secret_2',
    'payment_intent=<b>&payment_intent_client_secret=pi_1_secret_2',
    'payment_intent=pi_1%00&payment_intent_client_secret=pi_1_secret_2',
    `payment_intent=pi_${'1'.repeat(10_000)}&payment_intent_client_secret=pi_1_secret_2`,
  ]) {
    expect(read(query), query.slice(0, 60)).toBeNull();
  }
});
