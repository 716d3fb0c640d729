/** The icons that the content files may name; `Icon.astro` draws them. */
export const ICON_NAMES = [
  'career',
  'cart',
  'cloud',
  'consulting',
  'database',
  'design',
  'education',
  'finance',
  'frontend',
  'backend',
  'healthcare',
  'instructors',
  'logistics',
  'media',
  'mobile',
  'pace',
  'performance',
  'practice',
  'retail',
  'security',
  'technology',
  'travel',
  'web',
] as const;

export type IconName = (typeof ICON_NAMES)[number];

/** The drawings that the content files may name; `Glyph.astro` draws them from the logo's ring and dot. */
export const GLYPH_NAMES = [
  'recruitment',
  'staffing',
  'ai',
  'software',
  'training',
  'certification',
  'innovation',
] as const;

export type GlyphName = (typeof GLYPH_NAMES)[number];
