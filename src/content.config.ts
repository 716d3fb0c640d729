import { defineCollection } from 'astro:content';
import { file, glob } from 'astro/loaders';
import { parse } from 'yaml';
import { contentFiles, contentFolders, legalSchema } from './content-files.ts';

const files = contentFiles();
const folders = contentFolders();

/** A collection of one entry, which is the whole file. */
const wholeFile = (name: string, id: string) =>
  file(`src/content/${name}`, { parser: (text) => ({ [id]: parse(text) }) });

/** One entry, `facts`: who the firm is. */
const site = defineCollection({ loader: wholeFile('site.yaml', 'facts'), schema: files['site.yaml'] });

/** `privacy` and `terms`: the texts behind the footer's links. */
const legal = defineCollection({
  loader: glob({ base: 'src/content/legal', pattern: '*.md' }),
  schema: legalSchema,
});

// The company's pages: one collection each, of one entry, `page`.
const home = defineCollection({ loader: wholeFile('home.yaml', 'page'), schema: files['home.yaml'] });
const services = defineCollection({
  loader: wholeFile('services.yaml', 'page'),
  schema: files['services.yaml'],
});
const contact = defineCollection({
  loader: wholeFile('contact.yaml', 'page'),
  schema: files['contact.yaml'],
});
const teams = defineCollection({ loader: wholeFile('teams.yaml', 'page'), schema: files['teams.yaml'] });
const clients = defineCollection({
  loader: wholeFile('clients.yaml', 'page'),
  schema: files['clients.yaml'],
});
const about = defineCollection({
  loader: glob({ base: 'src/content', pattern: 'about.md', generateId: () => 'page' }),
  schema: files['about.md'],
});

/** One entry, `all`: the figures that the firm says of itself, by their names. */
const figures = defineCollection({ loader: wholeFile('figures.yaml', 'all'), schema: files['figures.yaml'] });

/** One entry, `page`: the learning home. */
const marketplace = defineCollection({
  loader: wholeFile('marketplace.yaml', 'page'),
  schema: files['marketplace.yaml'],
});

/** One entry, `page`: what stands around the list of articles. */
const insightsPage = defineCollection({
  loader: wholeFile('insights.yaml', 'page'),
  schema: files['insights.yaml'],
});

/** One entry, `page`: who works here. */
const people = defineCollection({ loader: wholeFile('people.yaml', 'page'), schema: files['people.yaml'] });

/** One entry, `page`: what clients say. */
const quotes = defineCollection({ loader: wholeFile('quotes.yaml', 'page'), schema: files['quotes.yaml'] });

/** Case studies and articles: an entry for each file, under its name. */
const cases = defineCollection({
  loader: glob({ base: 'src/content/cases', pattern: '*.md' }),
  schema: folders.cases,
});
const insights = defineCollection({
  loader: glob({ base: 'src/content/insights', pattern: '*.md' }),
  schema: folders.insights,
});

export const collections = {
  site,
  legal,
  figures,
  home,
  about,
  services,
  clients,
  contact,
  teams,
  marketplace,
  people,
  quotes,
  cases,
  insights,
  'insights-page': insightsPage,
};
