import { existsSync } from 'node:fs';
import { defineCollection } from 'astro:content';
import { file, glob } from 'astro/loaders';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  aboutSchema,
  clientsSchema,
  contactSchema,
  homeSchema,
  servicesSchema,
} from './features/company/content.ts';
import { marketplaceSchema } from './features/catalogue/marketplace.ts';
import { siteFactsSchema } from './features/company/site-facts.ts';

/** A collection of one entry, which is the whole file. */
const wholeFile = (name: string, id: string) =>
  file(`src/content/${name}`, { parser: (text) => ({ [id]: parse(text) }) });

/** One entry, `facts`: who the firm is. */
const site = defineCollection({ loader: wholeFile('site.yaml', 'facts'), schema: siteFactsSchema });

/** `privacy` and `terms`: the texts behind the footer's links. */
const legal = defineCollection({
  loader: glob({ base: 'src/content/legal', pattern: '*.md' }),
  schema: z.strictObject({
    title: z.string('a legal text needs a title'),
    updated: z.string('a legal text needs the month it was last changed, such as November 2026'),
  }),
});

// The company's pages: one collection each, of one entry, `page`.
const home = defineCollection({ loader: wholeFile('home.yaml', 'page'), schema: homeSchema });
const services = defineCollection({ loader: wholeFile('services.yaml', 'page'), schema: servicesSchema });
const contact = defineCollection({ loader: wholeFile('contact.yaml', 'page'), schema: contactSchema });
const clients = defineCollection({
  loader: wholeFile('clients.yaml', 'page'),
  schema: clientsSchema((logo) => existsSync(`public/clients/${logo}`)),
});
const about = defineCollection({
  loader: glob({ base: 'src/content', pattern: 'about.md', generateId: () => 'page' }),
  schema: aboutSchema,
});

/** One entry, `page`: the learning home. */
const marketplace = defineCollection({
  loader: wholeFile('marketplace.yaml', 'page'),
  schema: marketplaceSchema,
});

export const collections = { site, legal, home, about, services, clients, contact, marketplace };
