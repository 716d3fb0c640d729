import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  aboutSchema,
  clientsSchema,
  contactSchema,
  homeSchema,
  servicesSchema,
  teamsSchema,
} from './features/company/content.ts';
import {
  articleSchema,
  caseSchema,
  type ContentLookup,
  insightsSchema,
  peopleSchema,
  quotesSchema,
} from './features/company/stories/stories.ts';
import { marketplaceSchema } from './features/catalogue/marketplace.ts';
import { figuresSchema } from './shared/content/figures.ts';
import { siteFactsSchema } from './features/company/site-facts.ts';

/** The texts behind the footer's links. */
export const legalSchema = z.strictObject({
  title: z.string('a legal text needs a title'),
  updated: z.string('a legal text needs the month it was last changed, such as November 2026'),
  /** Of a text with a page of its own. */
  description: z.string().optional(),
});

/** Where pictures of the content are; their paths in content files begin there. */
const PICTURES = 'src/content/pictures';

/** The ids of the clients; none where their file cannot be read, whose own check then says why. */
function clientIds(projectFolder: string): string[] | null {
  try {
    const { clients } = parse(readFileSync(join(projectFolder, 'src/content/clients.yaml'), 'utf8'));
    return clients.map(({ id }: { id: string }) => id);
  } catch {
    return null;
  }
}

function lookup(projectFolder: string): ContentLookup {
  const ids = clientIds(projectFolder);
  return {
    hasPicture: (file) =>
      /^[\w/-]+\.(png|jpe?g|webp)$/.test(file) && existsSync(join(projectFolder, PICTURES, file)),
    hasClient: (id) => ids === null || ids.includes(id),
  };
}

/**
 * The folders in `src/content` that hold any number of Markdown files of one kind, with what stands above their text.
 *
 * @param projectFolder where the pictures are that they name
 */
export const contentFolders = (projectFolder = '.') => ({
  cases: caseSchema(lookup(projectFolder)),
  insights: articleSchema,
});

/**
 * The files in `src/content` with what stands in them: the whole of a YAML file, the lists above the text of a Markdown
 * file. The site reads them through `content.config.ts`; a build looks through them first (`scripts/check-content.ts`).
 *
 * @param projectFolder where `public/clients` with the logos is
 */
export const contentFiles = (projectFolder = '.') =>
  ({
    'site.yaml': siteFactsSchema,
    'figures.yaml': figuresSchema,
    'home.yaml': homeSchema,
    'about.md': aboutSchema,
    'services.yaml': servicesSchema,
    'clients.yaml': clientsSchema((logo) => existsSync(join(projectFolder, 'public/clients', logo))),
    'contact.yaml': contactSchema,
    'teams.yaml': teamsSchema,
    'insights.yaml': insightsSchema,
    'people.yaml': peopleSchema(lookup(projectFolder)),
    'quotes.yaml': quotesSchema(lookup(projectFolder)),
    'marketplace.yaml': marketplaceSchema,
    'legal/accessibility.md': legalSchema,
    'legal/privacy.md': legalSchema,
    'legal/terms.md': legalSchema,
  }) satisfies Record<string, z.ZodType>;
