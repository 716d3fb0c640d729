import { nearest } from './nearest.ts';

export interface Marks {
  tags: ReadonlySet<string>;
  classes: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

const TAG = /<([a-z][\w-]{0,40})/gi;
const VALUE = /\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/.source;
const MARK = new RegExp(`\\s(class|id)${VALUE}`, 'gi');

export function marksOf(markup: string): Marks {
  const marks = { tags: new Set<string>(), classes: new Set<string>(), ids: new Set<string>() };
  for (const [, tag] of markup.matchAll(TAG)) marks.tags.add(tag!.toLowerCase());
  for (const [, kind, double, single, bare] of markup.matchAll(MARK)) {
    const value = double ?? single ?? bare ?? '';
    if (kind!.toLowerCase() === 'id') marks.ids.add(value.trim());
    else for (const name of value.split(/\s+/)) if (name) marks.classes.add(name);
  }
  return marks;
}

type Kind = 'class' | 'id';
const SIGN: Record<Kind, string> = { class: '.', id: '#' };
const OTHER: Record<Kind, Kind> = { class: 'id', id: 'class' };
const namesOf = (marks: Marks, kind: Kind) => (kind === 'class' ? marks.classes : marks.ids);

/** What a selector that matches nothing was meant to be; null where nothing is close. */
export function meantSelector(kind: Kind, name: string, marks: Marks): string | null {
  if (namesOf(marks, kind).has(name)) return null;
  const other = OTHER[kind];
  if (namesOf(marks, other).has(name)) return `${SIGN[other]}${name}`;
  const near = nearest(name, namesOf(marks, kind));
  return near && `${SIGN[kind]}${near}`;
}

/** Null where the text does not show it. */
export function explainNoMatch(selector: string, markup: string): string | null {
  const marks = marksOf(markup);
  for (const [, sign, name] of selector.matchAll(/([.#])([\w-]+)/g)) {
    const kind: Kind = sign === '.' ? 'class' : 'id';
    if (namesOf(marks, kind).has(name!)) continue;
    const other = OTHER[kind];
    if (namesOf(marks, other).has(name!)) {
      return `The page has ${other}="${name}", and the test looks for the ${kind} of that name: write ${kind}="${name}".`;
    }
    const near = [...namesOf(marks, kind)].find((written) => nearest(written, [name!]) !== null);
    if (near && /[“”‘’]/.test(near)) {
      return `The quotes around "${name}" are curly ones. Use the straight quotes of the keyboard: ${kind}="${name}".`;
    }
    if (near === `${sign}${name}`) {
      return `In HTML the ${kind} stands without its sign: ${kind}="${name}". The ${sign} belongs into CSS and tests.`;
    }
    if (near) return `The page has ${kind}="${near}". Did you mean "${name}"?`;
  }
  const [, tag, place] = /([a-z][\w-]*):nth-(?:of-type|child)\((\d+)\)/i.exec(selector) ?? [];
  if (!tag) return null;
  const number = markup.match(new RegExp(`<${tag}\\b`, 'gi'))?.length ?? 0;
  return number < Number(place)
    ? `The test looks for <${tag}> number ${place} in its place, and the page has ${number === 0 ? 'none' : number}.`
    : null;
}

const valuesOf = (name: string, markup: string): string[] =>
  [...markup.matchAll(new RegExp(`\\s${name}(?:${VALUE}|(?=[\\s/>]))`, 'gi'))].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );

/** Null where each part occurs. */
export function missingPart(selector: string, markup: string): string | null {
  const marks = marksOf(markup);
  const bare = selector.replace(/\[[^\]]*\]|[.#:][\w-]+(?:\([^)]*\))?/g, '');
  const tag = bare.match(/[a-z][\w-]*/gi)?.find((name) => !marks.tags.has(name.toLowerCase()));
  if (tag) return `The page has no <${tag}>, and the test looks for one.`;
  // What must not be there is not looked for.
  const wanted = selector.replace(/:not\([^)]*\)/g, '');
  for (const [, name, , value] of wanted.matchAll(/\[([\w-]+)(?:=(["']?)([^"'\]]*)\2)?\]/g)) {
    const values = valuesOf(name!, markup);
    const asked = value === undefined ? name! : `${name}="${value}"`;
    if (values.length === 0) return `Nothing in the page has ${asked}, and the test looks for it.`;
    if (value !== undefined && !values.includes(value))
      return `Nothing in the page has ${asked}; it has ${name}="${values[0]}".`;
  }
  return null;
}
