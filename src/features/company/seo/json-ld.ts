import { phoneHref, type SiteFacts } from '#src/features/company/site-facts.ts';

/** Schema.org. */
export type Thing = { '@type': string; [property: string]: unknown };

export function organization(facts: SiteFacts, siteUrl: URL): Thing {
  const { address } = facts;
  return {
    '@type': 'Organization',
    '@id': new URL('/#organization', siteUrl).href,
    name: facts.name,
    legalName: facts.legalName,
    url: new URL('/', siteUrl).href,
    logo: new URL('/api/galaxy-logo.png', siteUrl).href,
    description: facts.description,
    email: facts.email,
    telephone: phoneHref(facts.phone).slice('tel:'.length),
    foundingDate: String(facts.established),
    address: {
      '@type': 'PostalAddress',
      streetAddress: address.street,
      addressLocality: address.city,
      addressRegion: address.state,
      postalCode: address.zip,
      addressCountry: 'US',
    },
    sameAs: facts.social.map(({ url }) => url),
  };
}

/** @param steps names and paths after "Home" */
export function breadcrumbList(siteUrl: URL, steps: readonly { name: string; path: string }[]): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [{ name: 'Home', path: '/' }, ...steps].map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: new URL(path, siteUrl).href,
    })),
  };
}

/** Nothing in it can end the script element (fault A11). */
export function jsonLdText(things: readonly Thing[]): string {
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': things }).replaceAll('<', '\\u003c');
}
