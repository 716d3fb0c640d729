import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { markWords } from './search-marks.ts';
import { keptText } from './missed-searches.server.ts';
import { readQuestion, understand, wordsToLookUp, wrongLetters } from './search-question.ts';
import { parseSearchWords, phraseKey, searchForm, withAdditions } from './search-words.ts';

const FILE = 'search-words.yaml';
const file = (
  synonyms: string,
  subjects = '  - javascript\n  - programming',
  related = '  jquery: javascript',
) =>
  `noise: a the how to\naside: beginner exercise\nsubjects:\n${subjects}\nsynonyms:\n${synonyms}\nrelated:\n${related}`;
const complaint = (text: string) => {
  try {
    parseSearchWords(text, FILE);
  } catch (error) {
    return (error as Error).message;
  }
  return null;
};

describe('the file of search words', () => {
  it('is right as it stands', () => {
    const text = readFileSync(new URL('../../../content/search-words.yaml', import.meta.url), 'utf8');
    const words = parseSearchWords(text, FILE);
    expect(words.meanings.get('js')).toEqual(['javascript']);
    expect(words.noise.has('course')).toBe(true);
  });

  it('tells file and line of a mistake', () => {
    expect(complaint(file('  js: javascript'))).toBeNull();
    expect(complaint(file('  js: javascript\n  JS: programming'))).toBe(
      `${FILE}:8: "js" stands on line 7 already`,
    );
    expect(complaint(file('  js: javascript\n  hook: hooks'))).toBe(`${FILE}:8: a circle: hook → hooks`);
    expect(complaint(file('  a1: b1\n  b1: c1\n  c1: a1'))).toBe(`${FILE}:7: a circle: a1 → b1 → c1 → a1`);
    expect(complaint(file('  js: javascrpit'))).toBe(
      `${FILE}:7: "js" leads to "javascrpit", which is neither a subject nor a synonym`,
    );
    expect(complaint(file('  js: [javascript, JavaScript]'))).toBe(
      `${FILE}:7: "js" has the same meaning twice`,
    );
    expect(complaint(file('  js:'))).toBe(`${FILE}:7: a word or a few words are expected here`);
    expect(complaint(file('  js: javascript', '  - javascript\n  - Javascript'))).toBe(
      `${FILE}:5: "javascript" stands among the subjects on line 4 already`,
    );
    expect(complaint(file('  js: javascript', '  - javascript', '  js: javascript'))).toBe(
      `${FILE}:8: "js" stands on line 6 already`,
    );
    expect(complaint('noise: a\naside: b')).toBe(`${FILE}:1: "subjects" is missing`);
    expect(complaint('[1')).toMatch(/^search-words\.yaml:\d+: /);
  });

  it('leads on from one synonym to the next, and is added to', () => {
    const words = parseSearchWords(file('  js: javascript\n  ecma: js'), FILE);
    expect(words.meanings.get('ecma')).toEqual(['js', 'javascript']);
    const more = withAdditions(words, [{ typed: 'node scripts', means: 'js' }]);
    expect(more.meanings.get(phraseKey('node script'))).toEqual(['js', 'javascript']);
  });

  it('knows what is only near, with all that leads to it, until an administrator says more', () => {
    const words = parseSearchWords(file('  jq: jquery'), FILE);
    expect([...words.related].sort()).toEqual(['jq', 'jqueri']);
    expect([...withAdditions(words, [{ typed: 'jQuery', means: 'javascript' }]).related]).toEqual(['jq']);
  });
});

describe('a question', () => {
  const words = parseSearchWords(file('  js: javascript\n  coding: programming'), FILE);
  const read = (search: string, courses: string) => {
    const question = readQuestion(search, words);
    const known = new Map(
      courses
        .split(' ')
        .map((word) => [word, { stem: word, known: true, forms: [word], near: [], longer: [] }]),
    );
    const { typed, others } = wordsToLookUp(question, words);
    for (const word of [...typed, ...others])
      if (!known.has(word)) known.set(word, { stem: word, known: false, forms: [], near: [], longer: [] });
    return understand(question, words, known).concepts.map(({ typed: text, ways, isAside }) => ({
      typed: text,
      ways: ways.map(({ stems }) => stems.join(' ')),
      isAside,
    }));
  };

  it('leaves words aside that say nothing, unless there are no others', () => {
    expect(read('how to python', 'python how')).toEqual([
      { typed: 'python', ways: ['python'], isAside: false },
    ]);
    expect(read('how to', 'how to').map(({ typed }) => typed)).toEqual(['how', 'to']);
  });

  it('knows synonyms, levels, and words written as one or as two', () => {
    expect(read('js exercise', 'javascript exercise')).toEqual([
      { typed: 'js', ways: ['javascript'], isAside: false },
      { typed: 'exercise', ways: ['exercise'], isAside: true },
    ]);
    expect(read('java script', 'javascript')[0]!.ways).toEqual(['javascript']);
    expect(read('webdesign', 'web design')[0]!.ways).toEqual(['web design']);
    expect(read('welding', 'web design')).toEqual([{ typed: 'welding', ways: [], isAside: false }]);
  });

  it('counts two letters that changed places as one mistake', () => {
    expect(wrongLetters('pyhton', 'python')).toBe(1);
    expect(wrongLetters('python', 'pythons')).toBe(1);
    expect(wrongLetters('brwoser', 'browsers')).toBe(2);
    expect(wrongLetters('cook', 'book')).toBe(1);
  });
});

describe('texts', () => {
  it('are marked word by word, whatever their form', () => {
    const marked = (text: string, stems: string[]) =>
      markWords(text, stems)
        .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
        .join('');
    expect(marked('Product Photography at Home', ['photographi'])).toBe('Product [Photography] at Home');
    expect(marked('The aim of AI', ['ai'])).toBe('The aim of [AI]');
    expect(marked('Résumés & more', ['resum'])).toBe('[Résumés] & more');
    expect(marked('<b>C++</b>', ['cplusplus'])).toBe('<b>[C++]</b>');
  });

  it('have one search form', () => {
    expect(searchForm('  C++ & C#: Über-Straße .NET ')).toBe('cplusplus csharp uber strasse dotnet');
  });

  it('are not kept where they may be about a person', () => {
    expect(keptText('Welding  for Beginners')).toBe('welding for beginners');
    for (const text of [
      'ada@example.com',
      'call +44 20 7946 0958',
      'order 123456',
      'https://example.com/x',
      'my name is Ada',
      'a very long text that somebody pasted into the box by mistake',
      'x'.repeat(61),
      '???',
    ])
      expect(keptText(text), text).toBeNull();
  });
});
