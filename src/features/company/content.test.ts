import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { aboutSchema, clientsSchema, contactSchema, homeSchema, servicesSchema } from './content.ts';
import { type FigureName, figuresSchema } from '#src/shared/content/figures.ts';
import { siteFactsSchema } from './site-facts.ts';

const folder = new URL('../../content/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const yaml = (file: string) => parse(read(file));
const logoExists = (file: string) => existsSync(new URL(`../../../public/clients/${file}`, import.meta.url));
const about = () => parse(read('about.md').split(/^---$/m)[1]!);

/** Each complaint as the place and the message that an editor reads. */
function complaints(schema: z.ZodType, value: unknown): string[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
}

describe('the content files', () => {
  it('are complete', () => {
    expect(complaints(homeSchema, yaml('home.yaml'))).toEqual([]);
    expect(complaints(aboutSchema, about())).toEqual([]);
    expect(complaints(servicesSchema, yaml('services.yaml'))).toEqual([]);
    expect(complaints(clientsSchema(logoExists), yaml('clients.yaml'))).toEqual([]);
    expect(complaints(contactSchema, yaml('contact.yaml'))).toEqual([]);
    expect(complaints(siteFactsSchema, yaml('site.yaml'))).toEqual([]);
  });

  it('hold the figures and names of the specification', () => {
    const home = homeSchema.parse(yaml('home.yaml'));
    const figures = figuresSchema.parse(yaml('figures.yaml'));
    const shown = (names: readonly FigureName[]) =>
      names.map((name) => `${figures[name].figure} ${figures[name].label}`);
    expect(shown(home.stats)).toEqual([
      '99% Happy Clients',
      '500+ Candidates Placed',
      '250+ Projects Delivered',
      '100+ Expert Team',
    ]);
    expect(home.services.items.map(({ name }) => name)).toEqual([
      'IT Recruitment',
      'IT Staffing',
      'AI-Driven Solutions',
      'Software Development',
    ]);
    expect(home.industries.items.map(({ name }) => name)).toEqual([
      'E-commerce',
      'Education',
      'Technology',
      'Healthcare',
      'Finance',
      'Logistics',
    ]);
    const services = servicesSchema.parse(yaml('services.yaml'));
    expect(shown(services.claims)).toEqual([
      '500+ Projects completed',
      '98% Client satisfaction',
      '24/7 Support',
    ]);
    expect(contactSchema.parse(yaml('contact.yaml')).benefits.items).toEqual([
      'Expert-designed courses',
      'Personalized learning',
      'Industry-recognized certifications',
      '{support} student support',
      'Career guidance and placement',
    ]);
  });
});

describe('a mistake in a content file', () => {
  const home = () => yaml('home.yaml');

  it('is named with its place and what to write: a missing text', () => {
    const value = home();
    delete value.hero.lead;
    expect(complaints(homeSchema, value)).toEqual([
      'hero.lead must be text (put it in quotes if it begins with a digit or holds a colon)',
    ]);
  });

  it('is named: an empty text', () => {
    const value = home();
    value.about.heading = '  ';
    expect(complaints(homeSchema, value)).toEqual([
      'about.heading is empty: write the text, or take the line back from the example',
    ]);
  });

  it('is named: a misspelled line', () => {
    const value = home();
    value.hero.haeding = 'x';
    expect(complaints(homeSchema, value)).toEqual([
      'hero has a line that the page does not use: haeding (a spelling mistake?)',
    ]);
  });

  it.each([
    ['accountNumber', 123_456_789, ' (put it in quotes) is missing or is not text'],
    ['accountNumber', '12 34', ' must be 4 to 17 digits in quotes'],
    ['achRoutingNumber', 110_000_000, ' (put it in quotes) is missing or is not text'],
    ['achRoutingNumber', '11000000', ' must be nine digits in quotes'],
    [
      'wireRoutingNumber',
      '110000001',
      ' is mistyped: its digits do not add up as those of a routing number do',
    ],
    ['swift', 'examus33', ' must be 8 or 11 capital letters and digits, such as EXAMUS33'],
  ])('is named: a bank account whose %s is %s', (field, wrong, message) => {
    const value = yaml('site.yaml');
    value.bank[field] = wrong;
    expect(complaints(siteFactsSchema, value)).toEqual([`bank.${field} bank.${field}${message}`]);
  });

  it('is named: a list of the wrong length', () => {
    const value = home();
    value.approach.steps.pop();
    expect(complaints(homeSchema, value)).toEqual(['approach.steps must have exactly 3 entries, and has 2']);
  });

  it('is named: an unknown icon', () => {
    const value = home();
    value.industries.items[0].icon = 'shop';
    expect(complaints(homeSchema, value)[0]).toMatch(
      /^industries\.items\.0\.icon must be one of: career, cart, /,
    );
  });

  it('is named: a figure that is not in figures.yaml, or is none', () => {
    const value = home();
    value.stats[1] = '500+';
    expect(complaints(homeSchema, value)[0]).toMatch(/^stats\.1 must be one of the figures: happyClients, /);
    const figures = yaml('figures.yaml');
    figures.expertTeam.figure = 100;
    figures.courses.figure = 'many';
    expect(complaints(figuresSchema, figures)).toEqual([
      'expertTeam.figure must be text: put it in quotes if it is a number alone',
      'courses.figure must begin with a digit',
    ]);
  });

  it('is named: a logo that is not there', () => {
    const value = yaml('clients.yaml');
    value.clients[2].logo = 'nobody.svg';
    expect(complaints(clientsSchema(logoExists), value)).toEqual([
      'clients.2.logo names nobody.svg, but there is no such file in public/clients',
    ]);
  });

  it('is named: two clients of one id', () => {
    const value = yaml('clients.yaml');
    value.clients[2].id = value.clients[1].id;
    expect(complaints(clientsSchema(logoExists), value)).toEqual([
      'clients has the same id twice: each must be its own',
    ]);
  });
});
