import fc from 'fast-check';
import { fromBufferPromise } from 'yauzl';
import { describe, expect, it } from 'vitest';
import { type Question, questionInput } from '#src/features/lessons/types/quiz/question.ts';
import { type PackageTexts, readQtiItem, readQtiPackage } from './qti.ts';
import { type QtiVersion, writeQti } from './qti-writer.ts';
import { readXml } from './xml.ts';

/** An item of QTI 2.1 as other tools write it. */
const item = ({
  declaration = '<correctResponse><value>B</value></correctResponse>',
  cardinality = 'single',
  body = '',
  choices = '<simpleChoice identifier="A">Two</simpleChoice><simpleChoice identifier="B">Four</simpleChoice>',
  after = '',
} = {}) => `<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="t" adaptive="false" timeDependent="false">
<responseDeclaration identifier="RESPONSE" cardinality="${cardinality}" baseType="identifier">
${declaration}
</responseDeclaration>
<itemBody>${body}
<choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1">
<prompt>What is <b>2 + 2</b>?</prompt>${choices}
</choiceInteraction></itemBody>
${after}</assessmentItem>`;

/** An item whose answer, 3.5, is typed. */
const typed = (baseType: string, body: string, rule = '') =>
  `<assessmentItem><responseDeclaration identifier="R" cardinality="single" baseType="${baseType}"><correctResponse><value>3.5</value></correctResponse></responseDeclaration><itemBody>${body}</itemBody><responseProcessing>${rule}</responseProcessing></assessmentItem>`;

const QTI3 = `<qti:qti-assessment-item xmlns:qti="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="i" title="t" time-dependent="false">
<qti:qti-response-declaration identifier="R" cardinality="multiple" base-type="identifier">
<qti:qti-mapping default-value="0"><qti:qti-map-entry map-key="H" mapped-value="1"/><qti:qti-map-entry map-key="O" mapped-value="1"/><qti:qti-map-entry map-key="He" mapped-value="-1"/></qti:qti-mapping>
</qti:qti-response-declaration>
<qti:qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float" normal-maximum="2"/>
<qti:qti-item-body><p>Water has</p><qti:qti-choice-interaction response-identifier="R" max-choices="0">
<qti:qti-simple-choice identifier="H">Hydrogen<qti:qti-feedback-inline outcome-identifier="F" identifier="H" show-hide="show">Yes</qti:qti-feedback-inline></qti:qti-simple-choice>
<qti:qti-simple-choice identifier="He">Helium</qti:qti-simple-choice>
<qti:qti-simple-choice identifier="O"><![CDATA[Oxygen & <more>]]></qti:qti-simple-choice>
</qti:qti-choice-interaction></qti:qti-item-body>
<qti:qti-modal-feedback outcome-identifier="F" identifier="x" show-hide="show"><qti:qti-content-body><p>H&#8322;O.</p></qti:qti-content-body></qti:qti-modal-feedback>
</qti:qti-assessment-item>`;

const CHOICE = { question: 'What is 2 + 2?', options: ['Two', 'Four'], correctAnswer: 1, explanation: '' };

describe('an item of QTI is read', () => {
  it.each<[string, string, object]>([
    ['of version 2.1', item(), CHOICE],
    [
      'of version 3, with prefixes',
      QTI3,
      {
        kind: 'several_answers',
        question: 'Water has',
        options: ['Hydrogen', 'Helium', 'Oxygen & <more>'],
        correctAnswers: [0, 2],
        feedback: ['Yes', '', ''],
        explanation: 'H₂O.',
        points: 2,
      },
    ],
    [
      'with a stem outside of the prompt, and asides',
      item({ body: '<rubricBlock view="scorer">Secret</rubricBlock><p>Think.</p><pre>a\n  b</pre>' }),
      { ...CHOICE, question: 'Think.\n\na\n  b\n\nWhat is 2 + 2?' },
    ],
    [
      'that is true or false',
      item({
        choices:
          '<simpleChoice identifier="A">True</simpleChoice><simpleChoice identifier="B">False</simpleChoice>',
      }),
      { kind: 'true_false', question: 'What is 2 + 2?', isTrue: false, explanation: '' },
    ],
    [
      'with raised and lowered signs',
      item({
        body: '<p>H<sub>2</sub>O has</p>',
        choices:
          '<simpleChoice identifier="A">210</simpleChoice><simpleChoice identifier="B">2<sup>10</sup></simpleChoice>',
      }),
      { ...CHOICE, question: 'H₂O has\n\nWhat is 2 + 2?', options: ['210', '2¹⁰'] },
    ],
    [
      'with one gap for a number',
      typed('float', '<p>About <textEntryInteraction responseIdentifier="R"/> km?</p>'),
      { kind: 'number', question: 'About _____ km?', value: 3.5, tolerance: 0, unit: '', explanation: '' },
    ],
    [
      'with one gap for a number and a tolerance',
      typed(
        'integer',
        '<p>How many?</p><p><textEntryInteraction responseIdentifier="R"/></p>',
        '<equal toleranceMode="absolute" tolerance="0.5 1.5"/>',
      ),
      { kind: 'number', question: 'How many?', value: 4, tolerance: 1, unit: '', explanation: '' },
    ],
    [
      'with one gap for a number and a tolerance in percent',
      typed(
        'float',
        '<p>How many? <textEntryInteraction responseIdentifier="R"/></p>',
        '<equal toleranceMode="relative" tolerance="10"/>',
      ),
      { kind: 'number', question: 'How many?', value: 3.5, tolerance: 0.35, unit: '', explanation: '' },
    ],
  ])('%s', (_, source, question) => {
    expect(readQtiItem(source)).toEqual({ questions: [question], problems: [], moreProblems: 0, notes: [] });
  });

  it('and says what it leaves out', () => {
    const source = item({ body: '<p><img src="x.png" alt="A plan"/></p>' });
    const { questions, notes } = readQtiItem(source);
    expect(questions[0]?.question).toBe('A plan\n\nWhat is 2 + 2?');
    expect(notes).toEqual([
      { file: null, line: 2, message: 'Left out: a picture, which a text here cannot hold' },
    ]);
  });
});

const LAUGHS = `<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>
<assessmentItem>&lol2;</assessmentItem>`;
const OUTSIDE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><assessmentItem>&x;</assessmentItem>';

describe('what is no item is refused with its line', () => {
  it.each<[string, string, number, string | RegExp]>([
    ['a bomb', LAUGHS, 2, 'A document type declaration is not taken'],
    ['an entity from outside', OUTSIDE, 1, 'A document type declaration is not taken'],
    ['a declaration from outside', '<!DOCTYPE a SYSTEM "http://example.com/a.dtd"><a/>', 1, /document type/],
    ['an entity that nobody defined', '<assessmentItem>\n&x;</assessmentItem>', 2, /^Not well-formed XML: /],
    ['what is cut', item().slice(0, 500), 8, /^Not well-formed XML: /],
    ['an unclosed element', '<a>\n<b>\n</a>', 3, /^Not well-formed XML: /],
    ['two attributes of a name', '<a b="1" b="2"/>', 1, /^Not well-formed XML: /],
    ['elements too deep', '<a>'.repeat(300_000), 1, 'Elements lie too deep in each other'],
    ['another encoding', '<?xml version="1.0" encoding="latin1"?><a/>', 1, /UTF-8/],
    ['a character that XML does not have', '<a>\u0001</a>', 1, /^Not well-formed XML: /],
    ['QTI 1.2', '<questestinterop/>', 1, 'This is QTI 1.2; only QTI 2.1 and 3 can be read'],
    [
      'a test',
      '<qti-assessment-test/>',
      1,
      'This file only lists items: choose the whole package, a zip file',
    ],
    ['HTML', '<html/>', 1, '<html> is no item of QTI 2.1 or 3'],
    ['no right answer', item({ declaration: '' }), 3, 'It does not say which answer is right'],
    [
      'a right answer that is no choice',
      item({ declaration: '<correctResponse><value>Z</value></correctResponse>' }),
      3,
      'The right answer “Z” is no choice',
    ],
    [
      'several where one can be chosen',
      item({ declaration: '<correctResponse><value>A</value><value>B</value></correctResponse>' }),
      3,
      'Several answers are right where one can be chosen',
    ],
    [
      'two options that are the same',
      item({
        choices:
          '\n<simpleChoice identifier="A">x</simpleChoice>\n<simpleChoice identifier="B">x</simpleChoice>',
      }),
      2,
      'Two options are the same',
    ],
    [
      'an empty option',
      item({ choices: '\n<simpleChoice identifier="A"/>\n<simpleChoice identifier="B">x</simpleChoice>' }),
      9,
      'Option is required',
    ],
  ])('%s', (_, source, line, message) => {
    const { questions, problems } = readQtiItem(source);
    expect(questions).toEqual([]);
    expect(problems[0]?.line).toBe(line);
    expect(problems[0]?.message).toMatch(message);
  });

  it.each([
    ['attributes', `<a ${Array.from({ length: 80_000 }, (_, n) => `a${n}="1"`).join(' ')}`],
    ['signs', `<a>${'&amp;'.repeat(200_000)}`],
    ['letters', `<${'a'.repeat(1_000_000)}`],
    ['spaces', `<a ${' '.repeat(1_000_000)}`],
    ['comments', `<a>${'<!---->'.repeat(140_000)}`],
    ['sections', `<a>${'<![CDATA[x]]>'.repeat(75_000)}`],
    ['brackets', `<a><![CDATA[${']'.repeat(1_000_000)}`],
    ['instructions', `<a>${'<?x ?>'.repeat(160_000)}`],
    [
      'choices',
      item({
        declaration: `<correctResponse>${'<value>B</value>'.repeat(20_000)}</correctResponse>`,
        choices: Array.from(
          { length: 15_000 },
          (_, n) => `<simpleChoice identifier="${n}">${n}</simpleChoice>`,
        ).join(''),
      }),
    ],
    ['interactions', item({ body: '<choiceInteraction/>'.repeat(50_000) })],
  ])('a megabyte of %s in the time of its length', (_, source) => {
    expect(readQtiItem(source).questions).toEqual([]);
  });
});

const packageOf = (files: Record<string, string>): PackageTexts => ({
  names: new Set(Object.keys(files)),
  text: async (name) => files[name]!,
});
const resources = (inside: string) => `<manifest>\n<resources>\n${inside}</resources></manifest>`;
const resource = (href: string, type = 'imsqti_item_xmlv2p1') =>
  `<resource type="${type}" href="${href}"/>\n`;

describe('a package of QTI is read', () => {
  it('in the order of its manifest, in a folder or not, with what it cannot take told', async () => {
    const essay = '<assessmentItem><itemBody><extendedTextInteraction/></itemBody></assessmentItem>';
    const read = await readQtiPackage(
      packageOf({
        'all/bank/imsmanifest.xml': resources(
          resource('items/b%20c.xml', 'imsqti_item_xmlv3p0') +
            resource('./a.xml') +
            resource('e.xml') +
            resource('test.xml', 'imsqti_test_xmlv2p1'),
        ),
        'all/bank/a.xml': item(),
        'all/bank/items/b c.xml': QTI3,
        'all/bank/e.xml': essay,
        'all/bank/test.xml': 'nothing that is read',
      }),
    );
    expect(read.problems).toEqual([]);
    expect(read.questions.map(({ question }) => question)).toEqual(['Water has', 'What is 2 + 2?']);
    expect(read.notes).toEqual([
      {
        file: 'all/bank/e.xml',
        line: 1,
        message:
          'Left out: only items with one choice, one order or gaps are taken, not extendedTextInteraction',
      },
    ]);
  });

  it('and refused with all its mistakes', async () => {
    const read = await readQtiPackage(
      packageOf({
        'imsmanifest.xml': resources(
          resource('a.xml') + resource('b.xml') + resource('') + resource('../../etc/passwd') + resource('%'),
        ),
        'a.xml': item({ declaration: '' }),
      }),
    );
    expect(read.questions).toEqual([]);
    expect(read.problems).toEqual([
      { file: 'imsmanifest.xml', line: 4, message: '“b.xml” is not in the package' },
      { file: 'imsmanifest.xml', line: 5, message: 'This item has no address inside the package' },
      { file: 'imsmanifest.xml', line: 6, message: '“../../etc/passwd” is not in the package' },
      { file: 'imsmanifest.xml', line: 7, message: 'This item has no address inside the package' },
      { file: 'a.xml', line: 3, message: 'It does not say which answer is right' },
    ]);
    expect((await readQtiPackage(packageOf({ 'a.xml': item() }))).problems).toEqual([
      { file: 'imsmanifest.xml', line: null, message: 'is missing: a package of items has one' },
    ]);
  });
});

/** The texts of a package that was written. */
async function unpacked(bytes: Uint8Array): Promise<PackageTexts> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files[entry.fileName] = Buffer.concat(chunks).toString();
  }
  return packageOf(files);
}

const line = fc
  .string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'ab 1<>&"\']`é') })
  .map((text) => text.replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '');
const block = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
const choice = fc.uniqueArray(line, { minLength: 2, maxLength: 8 }).chain((options) =>
  fc.record({
    question: block,
    explanation: fc.oneof(fc.constant(''), block),
    points: fc.integer({ min: 1, max: 100 }),
    tags: fc.uniqueArray(line, { maxLength: 3 }),
    options: fc.constant(options),
    feedback: fc.array(fc.oneof(fc.constant(''), line), {
      minLength: options.length,
      maxLength: options.length,
    }),
    right: fc.uniqueArray(fc.nat(options.length - 1), { minLength: 1 }),
    isMultiple: fc.boolean(),
  }),
);

describe.each<QtiVersion>(['2.1', '3'])('QTI %s is written', (version) => {
  it('and comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 3 }), async (all) => {
        const questions = all.map(({ right, isMultiple, ...more }) =>
          questionInput.parse(
            isMultiple
              ? { ...more, kind: 'several_answers', correctAnswers: right }
              : { ...more, correctAnswer: right[0] },
          ),
        );
        const { content, left, written } = await writeQti(questions, version);
        expect([left, written]).toEqual([[], questions.length]);
        const read = await readQtiPackage(await unpacked(content));
        expect(read).toEqual({ questions, problems: [], moreProblems: 0, notes: [] });
      }),
      { numRuns: 100 },
    );
  });

  it('with orders and gaps, which come back as they were', async () => {
    const other = fc.record({
      question: block,
      explanation: fc.oneof(fc.constant(''), block),
      points: fc.integer({ min: 1, max: 100 }),
      items: fc.uniqueArray(line, { minLength: 2, maxLength: 5 }),
      isGaps: fc.boolean(),
      matchCase: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(other, { minLength: 1, maxLength: 3 }), async (all) => {
        const questions = all.map(({ items, isGaps, matchCase, ...more }) => {
          const words = items.map((item) => item.replace(/[[\]|]|^=/g, '_'));
          const text = `for x\n    ${words.map((word) => `[[${word}|${word}s]]`).join(' and ')}.`;
          return questionInput.parse(
            isGaps ? { ...more, kind: 'gaps', text, matchCase } : { ...more, kind: 'ordering', items },
          );
        });
        const { content, left } = await writeQti(questions, version);
        expect(left).toEqual([]);
        const read = await readQtiPackage(await unpacked(content));
        expect(read).toEqual({ questions, problems: [], moreProblems: 0, notes: [] });
      }),
      { numRuns: 100 },
    );
  });

  it('with numbers, which come back without their units', async () => {
    const numbers = [
      { value: 3.5, tolerance: 0.1 },
      { question: 'x =\n_____', value: -1e-7, tolerance: 1 / 3, explanation: 'So', points: 3, unit: 'km' },
    ].map((one) => questionInput.parse({ question: 'Is 1 < 2?', ...one, kind: 'number' }));
    const { content, left } = await writeQti(numbers, version);
    expect(left).toEqual(['Question 2: its unit']);
    const { questions, notes } = await readQtiPackage(await unpacked(content));
    expect([questions, notes]).toEqual([numbers.map((one) => ({ ...one, unit: '' })), []]);
  });

  it('with true and false, and without what it has no place for', async () => {
    const questions: Question[] = [
      { kind: 'true_false', question: 'Wet?', isTrue: true, feedback: ['Yes', 'No'], explanation: 'It is.' },
      { kind: 'short_text', question: 'Q', accepted: ['a'] },
    ].map((one) => questionInput.parse(one));
    const { content, left } = await writeQti(questions, version);
    expect(left).toEqual([
      'Question 2: QTI is written for choices, orders, numbers and gaps, Moodle XML for all (short text)',
    ]);
    const texts = await unpacked(content);
    expect((await readQtiPackage(texts)).questions).toEqual([questions[0]]);
    const text = await texts.text('items/question_1.xml');
    const root = readXml(text);
    expect(root.attributes.get('xmlns')).toBe(
      version === '3'
        ? 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0'
        : 'http://www.imsglobal.org/xsd/imsqti_v2p1',
    );
    // The order in which the schemas of both versions have them.
    expect(root.children.map((child) => (typeof child === 'string' ? child : child.name))).toEqual([
      'responseDeclaration',
      'outcomeDeclaration',
      'outcomeDeclaration',
      'outcomeDeclaration',
      'outcomeDeclaration',
      'itemBody',
      'responseProcessing',
      'modalFeedback',
    ]);
  });
});
