import { existsSync } from 'node:fs';
import { join } from 'node:path';
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

/** The texts behind the footer's links. */
export const legalSchema = z.strictObject({
  title: z.string('a legal text needs a title'),
  updated: z.string('a legal text needs the month it was last changed, such as November 2026'),
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
    'home.yaml': homeSchema,
    'about.md': aboutSchema,
    'services.yaml': servicesSchema,
    'clients.yaml': clientsSchema((logo) => existsSync(join(projectFolder, 'public/clients', logo))),
    'contact.yaml': contactSchema,
    'marketplace.yaml': marketplaceSchema,
    'legal/privacy.md': legalSchema,
    'legal/terms.md': legalSchema,
  }) satisfies Record<string, z.ZodType>;
