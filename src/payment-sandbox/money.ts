import { invalidParameter } from './http/errors.ts';

/** 500 is ¥500. */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));
const THREE_DECIMAL = new Set('bhd jod kwd omr tnd'.split(' '));

/** In the smallest unit; others are measured in US dollars. */
const MINIMUM: Record<string, number> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
};

const MAXIMUM = 99_999_999;

const CURRENCIES = new Set([
  ...Object.keys(MINIMUM),
  ...ZERO_DECIMAL,
  ...THREE_DECIMAL,
  ...'ars bdt bob cop crc cve dop dzd egp etb fjd ghs gtq hnl ils isk jmd kes khr kzt lkr mad mdl mkd mop mur ngn nio npr pab pen php pkr qar rsd rub sar srd szl try ttd twd tzs uah uyu uzs wst xcd zar zmw'.split(
    ' ',
  ),
]);

/** An amount in the smallest unit as the provider prints it, "$10.50" or "¥500". */
export function printAmount(amount: number, currency: string): string {
  const digits = ZERO_DECIMAL.has(currency) ? 0 : THREE_DECIMAL.has(currency) ? 3 : 2;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
}

/** Lower-case currency code, or 400. */
export function checkCurrency(text: string): string {
  const currency = text.toLowerCase();
  if (CURRENCIES.has(currency)) return currency;
  throw invalidParameter('currency', 'parameter_invalid', `Invalid currency: ${text.slice(0, 20)}`);
}

/** Refuses amounts (smallest unit) the provider refuses for this currency. */
export function checkAmount(amount: number, currency: string): void {
  if (amount < 1) {
    throw invalidParameter(
      'amount',
      'parameter_invalid_integer',
      'This value must be greater than or equal to 1.',
    );
  }
  const minimum = MINIMUM[currency] ?? 1;
  if (amount < minimum) {
    throw invalidParameter(
      'amount',
      'amount_too_small',
      `Amount must be at least ${printAmount(minimum, currency)} ${currency}`,
    );
  }
  if (amount > MAXIMUM) {
    throw invalidParameter(
      'amount',
      'amount_too_large',
      `Amount must be no more than ${printAmount(MAXIMUM, currency)}`,
    );
  }
  if (THREE_DECIMAL.has(currency) && amount % 10 !== 0) {
    throw invalidParameter(
      'amount',
      'parameter_invalid_integer',
      `Invalid ${currency} amount: ${amount} must end in 0.`,
    );
  }
}
