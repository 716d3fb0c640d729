// What the bench searches the catalogue for.
const WORDS = [
  'python',
  'web',
  'learning',
  'data',
  'excel',
  'design',
  'marketing',
  'react',
  'sql',
  'leadership',
];
const SECOND_WORDS = [
  'projects',
  'beginners',
  'guide',
  'essentials',
  'workshop',
  'students',
  'teams',
  'practice',
];
const TYPOS = [
  'pyhton',
  'javascirpt',
  'marketting',
  'fotography',
  'leadreship',
  'kubernets',
  'tpyescript',
  'acounting',
];

/** The catalogue's addresses that search for texts. */
export const searches = (texts: string[]) =>
  texts.map((text) => `/courses?search=${encodeURIComponent(text)}`);

const SORTED = ['', '&sort=rating', '&sort=newest', '&sort=price-low', '&sort=price-high'];
const NARROWED = ['', '&level=beginner', '&level=advanced', '&category=1', '&category=2', '&category=3'];

/** Every search in every order and narrowed in every way, mixed: none is asked for twice while a run lasts. */
export const searchesOnce = (texts: string[]) =>
  searches(texts)
    .flatMap((path) => SORTED.flatMap((sort) => NARROWED.map((filter) => path + sort + filter)))
    .map((path, index) => ({ path, place: (index * 7919) % 10_007 }))
    .sort((a, b) => a.place - b.place)
    .map(({ path }) => path);

/** Searches of two words, all of which a made catalogue has. */
export const PAIRS = WORDS.flatMap((a) => SECOND_WORDS.map((b) => `${a} ${b}`));
export const TYPO_PAIRS = TYPOS.flatMap((typo) =>
  ['', ...SECOND_WORDS].map((word) => `${typo} ${word}`.trim()),
);
