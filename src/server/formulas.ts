import katex from 'katex';
import { escapeHtml } from '#src/shared/escape-html.ts';

const FORMULA_MAX = 1000;
const FORMULAS_MAX = 20_000;
const COUNTED_MIN = 40;
/** The library's default is 1000. */
const EXPANSIONS_MAX = 300;
// With these a formula of a few lines grows to millions of parts.
const OWN_COMMANDS =
  /\\(?:[egx]?def|(?:re)?newcommand|providecommand|(?:future)?let|global|long)(?![a-zA-Z])/;

export const FORMULA_TAGS = [
  ...['math', 'semantics', 'mrow', 'mi', 'mn', 'mo', 'ms', 'mtext', 'mspace', 'msup', 'msub', 'msubsup'],
  ...['mover', 'munder', 'munderover', 'mmultiscripts', 'mprescripts', 'none', 'mfrac', 'msqrt', 'mroot'],
  ...['mstyle', 'mpadded', 'mphantom', 'menclose', 'mtable', 'mtr', 'mtd', 'mlabeledtr', 'merror'],
];
export const FORMULA_ATTRIBUTES = [
  ...['xmlns', 'display', 'mathvariant', 'mathcolor', 'mathbackground', 'mathsize', 'displaystyle'],
  ...['scriptlevel', 'stretchy', 'fence', 'separator', 'form', 'lspace', 'rspace', 'minsize', 'maxsize'],
  ...['symmetric', 'largeop', 'movablelimits', 'accent', 'accentunder', 'linethickness', 'width', 'height'],
  ...[
    'depth',
    'voffset',
    'notation',
    'rowspacing',
    'columnspacing',
    'columnalign',
    'columnlines',
    'rowlines',
  ],
  ...['rowalign', 'side', 'linebreak', 'scriptsizemultiplier'],
];

export interface FormulaCount {
  formulaCharacters: number;
}

/**
 * MathML needs no style sheet, font or script; an unreadable formula is shown as written, with the reason.
 */
export function formulaMarkup(source: string, isBlock: boolean, count: FormulaCount): string {
  const code = `<code>${escapeHtml(source.trim())}</code>`;
  if (count.formulaCharacters > FORMULAS_MAX) return isBlock ? `<p>${code}</p>\n` : code;
  count.formulaCharacters += Math.max(source.length, COUNTED_MIN);
  const element = isBlock ? 'div' : 'span';
  // A long formula scrolls, and arrow keys must reach it.
  const scrolls = isBlock ? ' tabindex="0" role="group" aria-label="Formula"' : '';
  try {
    const math = mathOf(source, isBlock, count.formulaCharacters);
    return `<${element} class="formula"${scrolls}>${math}</${element}>${isBlock ? '\n' : ''}`;
  } catch (error) {
    const line = `<span class="formula-problem">${code} This formula cannot be shown: ${escapeHtml(reasonOf(error))}</span>`;
    return isBlock ? `<p>${line}</p>\n` : line;
  }
}

class Refusal extends Error {}

function mathOf(source: string, isBlock: boolean, charactersSoFar: number): string {
  if (source.length > FORMULA_MAX) throw new Refusal(`it has more than ${FORMULA_MAX} characters.`);
  if (charactersSoFar > FORMULAS_MAX) {
    throw new Refusal(`the formulas of this text are too many, or too long, together.`);
  }
  const own = OWN_COMMANDS.exec(source)?.[0];
  if (own) throw new Refusal(`${own} is not available here.`);
  const markup = katex.renderToString(source, {
    displayMode: isBlock,
    output: 'mathml',
    strict: 'ignore',
    maxExpand: EXPANSIONS_MAX,
    maxSize: 20,
    trust: ({ command }) => {
      throw new Refusal(`${command} is not available here.`);
    },
  });
  return markup
    .replace(/<annotation [^>]*>[^<]*<\/annotation>/, '')
    .replace(/^<span class="katex[^"]*">|<\/span>$/g, '')
    .replace(/<(m[in]) mathvariant="([a-z-]+)">([a-zA-Z0-9]+)</g, (whole, tag: string, style, letters) => {
      const alphabet = ALPHABETS[style];
      return alphabet ? `<${tag}>${inAlphabet(letters, style, alphabet)}<` : whole;
    });
}

/** MathML Core draws the characters that it is given: no attribute makes a double-struck R of an R. */
const ALPHABETS: Record<string, { letters: number; digits?: number }> = {
  bold: { letters: 0x1d400, digits: 0x1d7ce },
  italic: { letters: 0x1d434 },
  'bold-italic': { letters: 0x1d468 },
  script: { letters: 0x1d49c },
  fraktur: { letters: 0x1d504 },
  'double-struck': { letters: 0x1d538, digits: 0x1d7d8 },
  'bold-fraktur': { letters: 0x1d56c },
  'sans-serif': { letters: 0x1d5a0, digits: 0x1d7e2 },
  'bold-sans-serif': { letters: 0x1d5d4, digits: 0x1d7ec },
  'sans-serif-italic': { letters: 0x1d608 },
  monospace: { letters: 0x1d670, digits: 0x1d7f6 },
};
const OLDER_LETTERS: Record<string, Record<string, string>> = {
  italic: { h: 'ℎ' },
  script: { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' },
  fraktur: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' },
  'double-struck': { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
};

function inAlphabet(text: string, style: string, { letters, digits }: { letters: number; digits?: number }) {
  return text.replace(/./g, (character) => {
    const older = OLDER_LETTERS[style]?.[character];
    if (older) return older;
    const code = character.charCodeAt(0);
    if (code <= 57) return digits ? String.fromCodePoint(digits + code - 48) : character;
    return String.fromCodePoint(letters + (code >= 97 ? code - 97 + 26 : code - 65));
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof katex.ParseError) return `${error.rawMessage.replace(/\.?$/, '.')}`;
  // The library's stack overflowed.
  if (error instanceof RangeError) return 'it is nested too deeply.';
  throw error;
}
