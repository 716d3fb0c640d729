/** What the country's postal code is called where cards are checked against it; null elsewhere. */
export function postalLabel(country: string): string | null {
  if (country === 'US') return 'ZIP code';
  if (country === 'CA') return 'Postal code';
  return country === 'GB' ? 'Postcode' : null;
}
