import type { IconName as Drawing } from '#src/components/icon-names.ts';

export const ICONS = {
  career: 'trending-up',
  cart: 'shopping-cart',
  cloud: 'cloud-cog',
  consulting: 'messages-square',
  database: 'database',
  design: 'pen-tool',
  education: 'graduation-cap',
  finance: 'banknote',
  frontend: 'panels-top-left',
  backend: 'server',
  healthcare: 'heart-pulse',
  instructors: 'presentation',
  logistics: 'truck',
  media: 'circle-play',
  mobile: 'smartphone',
  pace: 'timer',
  performance: 'gauge',
  practice: 'blocks',
  retail: 'store',
  security: 'shield-check',
  technology: 'cpu',
  travel: 'plane',
  web: 'globe',
} as const satisfies Record<string, Drawing>;

export type IconName = keyof typeof ICONS;

export const ICON_NAMES = Object.keys(ICONS) as IconName[];

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
