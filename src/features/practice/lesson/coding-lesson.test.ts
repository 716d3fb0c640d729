import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { $toast } from '#src/components/toast.store.ts';
import { createCodingLesson, failingPlace } from './coding-lesson.ts';

const STARTER = 'const a = 1;';
const VERDICT = {
  output: '',
  outputTruncated: false,
  isCorrect: false,
  verdict: 'runtime_error',
  error: { name: 'TypeError', message: 'a is not a function', line: 3, column: 5 },
  tests: [],
  attempts: 2,
  completed: false,
  pointsAwarded: 0,
};

const PROVEN = {
  name: 'Hint',
  message: 'Look at the numbers in line 1.',
  line: 1,
  column: null,
  explanation: '?',
};

let stored: Map<string, string>;
let asked: { path: string; input: unknown }[];
let hintsAsked: unknown[];
let proven: typeof PROVEN | null;
let answer: () => Response | Promise<Response>;
let browser: EventTarget;

function lessonOf(change: { userId?: number | null; lastCode?: string | null; language?: 'css' } = {}) {
  let code = change.lastCode ?? STARTER;
  const replace = (next: string) => {
    code = next;
  };
  const editor = { value: () => code, replace, goTo: vi.fn() };
  const lesson = createCodingLesson({
    lesson: {
      id: 5,
      codingLanguage: change.language ?? 'javascript',
      starterCode: STARTER,
      attempts: 1,
      completed: false,
    },
    lastCode: change.lastCode ?? null,
    userId: change.userId === undefined ? 9 : change.userId,
    hintCount: 2,
    groupHints: [],
    editor: { current: editor },
    secondsSpent: () => 42,
  });
  const type = (next: string) => {
    code = next;
    lesson.change(next);
  };
  return { lesson, editor, type, state: () => lesson.$state.get() };
}

beforeEach(() => {
  stored = new Map();
  asked = [];
  hintsAsked = [];
  proven = null;
  answer = () => Response.json(VERDICT);
  $toast.set(null);
  browser = new EventTarget();
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('location', { origin: 'http://site.test', pathname: '/lesson/5' });
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => run());
  vi.stubGlobal('fetch', async (url: URL, { body }: { body?: string }) => {
    if (url.pathname === '/api/lessons/5/code-hint') {
      hintsAsked.push(body && JSON.parse(body));
      return Response.json({ hint: proven });
    }
    asked.push({ path: url.pathname, input: body && JSON.parse(body) });
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('opening a coding lesson', () => {
  it('takes a draft of this device over the last run', () => {
    stored.set('lesson_draft:9:5', 'draft');
    const { lesson, editor, state } = lessonOf({ lastCode: 'last' });
    lesson.begin();
    expect(state()).toMatchObject({ code: 'draft', restored: true });
    expect(editor.value()).toBe('draft');
  });

  it('takes what was typed early over the draft', () => {
    stored.set('lesson_draft:9:5', 'draft');
    const { lesson, editor, state } = lessonOf();
    editor.replace('typed');
    lesson.begin();
    expect(state()).toMatchObject({ code: 'typed', restored: false });
  });

  it('keeps what differs from its beginning, and nothing else', async () => {
    const { lesson, type } = lessonOf();
    type('mine');
    lesson.keep();
    expect(stored.get('lesson_draft:9:5')).toBe('mine');
    type(STARTER);
    lesson.keep();
    expect(stored.size).toBe(0);
  });
});

describe('a hint that the judge proves', () => {
  it('is asked for with the program that ran, and takes the place of the hint of its text', async () => {
    const { lesson, state } = lessonOf();
    proven = PROVEN;
    await lesson.run();
    await vi.waitFor(() => expect(state().result?.hint).toEqual(PROVEN));
    expect(hintsAsked).toEqual([{ code: STARTER, language: 'javascript' }]);
  });

  it('loses its place where something was typed meanwhile', async () => {
    const { lesson, state, type } = lessonOf();
    proven = PROVEN;
    await lesson.run();
    type('typed');
    await vi.waitFor(() => expect(state().result?.hint).toMatchObject({ ...PROVEN, line: null }));
  });

  it('is not asked for what passes, does not parse, or has a word of the author', async () => {
    const { lesson } = lessonOf();
    const none = [{ isCorrect: true, verdict: 'pass' }, { verdict: 'syntax_error' }, { said: 'Not so.' }];
    for (const change of none) {
      answer = () => Response.json({ ...VERDICT, ...change });
      await lesson.run();
    }
    expect(hintsAsked).toEqual([]);
  });

  it('that is not found leaves the hint of the text', async () => {
    const { lesson, state } = lessonOf();
    const hint = { ...PROVEN, message: 'Of the text.' };
    answer = () => Response.json({ ...VERDICT, hint });
    await lesson.run();
    await vi.waitFor(() => expect(hintsAsked).toHaveLength(1));
    expect(state().result?.hint).toEqual(hint);
  });
});

describe('running the program', () => {
  it('sends the program with what was spent on it, and shows what came of it', async () => {
    const { lesson, state } = lessonOf();
    lesson.revealHint();
    await lesson.run();
    expect(asked.at(-1)).toEqual({
      path: '/api/execute-code',
      input: { lessonId: 5, code: STARTER, language: 'javascript', timeSpent: 42, hintsUsed: 1 },
    });
    expect(state()).toMatchObject({
      running: false,
      attempts: 2,
      panel: 'result',
      tab: 'result',
      result: VERDICT,
    });
    expect($toast.get()?.title).toBe('Execution Error');
  });

  it('tells what the author says of the mistake, and nothing general', async () => {
    answer = () => Response.json({ ...VERDICT, said: 'Call `b`, not `a`.' });
    await lessonOf().lesson.run();
    expect($toast.get()).toMatchObject({
      title: 'Your program stopped with an error',
      description: 'Call b, not a.',
    });
  });

  it.each([
    [
      'types that do not fit',
      { verdict: 'syntax_error', name: 'TypeScript error TS2322' },
      [false],
      'The types do not fit',
      /refuses the program/,
    ],
    [
      'tests that failed',
      { verdict: 'runtime_error', name: 'TypeError' },
      [true, false],
      'Your program stopped with an error',
      /^1 of 2 tests passed/,
    ],
    [
      'code that cannot be read',
      { verdict: 'syntax_error', name: 'SyntaxError' },
      [false, false],
      'Execution Error',
      /check your syntax/,
    ],
  ])('says the reason of %s', async (_, { verdict, name }, passed, title, description) => {
    answer = () =>
      Response.json({
        ...VERDICT,
        verdict,
        error: { ...VERDICT.error, name },
        tests: passed.map((one) => ({ passed: one })),
      });
    await lessonOf().lesson.run();
    expect($toast.get()).toMatchObject({ title, description: expect.stringMatching(description) });
  });

  it('runs once however often it is asked', async () => {
    const { lesson } = lessonOf();
    await Promise.all([lesson.run(), lesson.run()]);
    expect(asked).toHaveLength(1);
  });

  it('refuses a blank program without a call, and forgets what came of the one before', async () => {
    const { lesson, type, state } = lessonOf();
    await lesson.run();
    asked = [];
    type(' \n');
    await lesson.run();
    expect(asked).toEqual([]);
    expect(state().result).toBeNull();
    expect($toast.get()?.title).toBe('Empty Code');
  });

  it('runs a visitor’s program as a preview, which this page alone counts', async () => {
    const { lesson, type, state } = lessonOf({ userId: null });
    type('mine');
    await lesson.run();
    await lesson.run();
    const call = { path: '/api/lessons/5/code-preview', input: { code: 'mine', language: 'javascript' } };
    expect(asked).toEqual([call, call]);
    expect(stored.get('lesson_draft:visitor:5')).toBe('mine');
    expect(state()).toMatchObject({ running: false, attempts: 3, completed: false });
    expect(state().result).toMatchObject({ verdict: 'runtime_error', pointsAwarded: 0, progress: null });
  });

  it('goes back to the program after a call that failed, with the preview where there was no run', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    const { lesson, state } = lessonOf({ language: 'css' });
    await lesson.run();
    expect(state()).toMatchObject({ running: false, panel: 'code', tab: 'preview', result: null });
  });

  it('names a lost connection, and runs once when it is back', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    vi.stubGlobal('navigator', { onLine: false });
    const { lesson, state } = lessonOf();
    await lesson.run();
    await lesson.run();
    expect($toast.get()?.description).toMatch(
      /^The connection was lost\. Your program is kept\. It is sent once/,
    );
    answer = () => Response.json(VERDICT);
    browser.dispatchEvent(new Event('online'));
    browser.dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(state().result).toEqual(VERDICT));
    expect(asked).toHaveLength(3);
  });

  it('asks to run again what may have arrived', async () => {
    vi.stubGlobal('navigator', { onLine: true });
    answer = () => {
      vi.stubGlobal('navigator', { onLine: false });
      return Promise.reject(new TypeError('Failed to fetch'));
    };
    const { lesson } = lessonOf();
    await lesson.run();
    expect($toast.get()?.description).toBe(
      'The connection was lost. Your program is kept. Please run it again.',
    );
    browser.dispatchEvent(new Event('online'));
    expect(asked).toHaveLength(1);
  });

  it('says what the server says about a call that it refused', async () => {
    answer = () => Response.json({ code: 'rate_limited', message: 'Wait a minute.' }, { status: 429 });
    const { lesson } = lessonOf();
    await lesson.run();
    expect($toast.get()).toMatchObject({ title: 'Not run', description: 'Wait a minute.' });
  });
});

describe('after a run', () => {
  it('forgets the line that failed once the program changes', async () => {
    const { lesson, type, state } = lessonOf();
    await lesson.run();
    expect(failingPlace(state().result)).toMatchObject({ line: 3, column: 5, endColumn: 6 });
    type('changed');
    expect(failingPlace(state().result)).toBeNull();
    expect(state().result?.error?.message).toBe('a is not a function');
  });

  it('is reset to the code of the lesson, which is kept where an earlier program would come back', async () => {
    const { lesson, editor, state } = lessonOf({ lastCode: 'last' });
    lesson.revealHint();
    await lesson.run();
    lesson.reset();
    expect(editor.value()).toBe(STARTER);
    expect(state()).toMatchObject({ code: STARTER, result: null, hintsShown: 0 });
    expect(stored.get('lesson_draft:9:5')).toBe(STARTER);
  });

  it('takes an earlier program, and gives back the one before', () => {
    const { lesson, editor, type } = lessonOf();
    type('mine');
    lesson.restore('earlier', 1);
    expect(editor.value()).toBe('earlier');
    $toast.get()?.action?.onClick?.();
    expect(editor.value()).toBe('mine');
  });

  it('asks what others were told, and counts what is opened as a hint', async () => {
    const { lesson, state } = lessonOf();
    answer = () =>
      Response.json(
        asked.at(-1)!.path.endsWith('/group-hint')
          ? { hints: [{ id: 3, html: null }] }
          : asked.at(-1)!.path.endsWith('/open')
            ? { html: '<p>Look.</p>', hintsUsed: 1 }
            : { ...VERDICT, submissionId: 70 },
      );
    await lesson.run();
    await vi.waitFor(() => expect(state().groupHints).toEqual([{ id: 3, html: null }]));
    expect(asked.at(-1)!.path).toBe('/api/submissions/70/group-hint');
    await lesson.openGroupHint(3);
    expect(state().groupHints).toEqual([{ id: 3, html: '<p>Look.</p>' }]);
    lesson.revealHint();
    expect(asked.at(-1)).toMatchObject({ path: '/api/lessons/5/hints', input: { shown: 2 } });
    await lesson.run();
    expect(asked.findLast(({ path }) => path === '/api/execute-code')!.input).toMatchObject({ hintsUsed: 2 });
  });

  it('asks for nothing after the first run, after a right one, or where the lesson is done', async () => {
    const { lesson } = lessonOf();
    for (const change of [{ attempts: 1 }, { isCorrect: true }, { completed: true }]) {
      answer = () => Response.json({ ...VERDICT, submissionId: 70, ...change });
      await lesson.run();
    }
    expect(asked.map(({ path }) => path)).toEqual(Array(3).fill('/api/execute-code'));
  });

  it('shows no more hints than there are, and tells of none to a visitor', () => {
    const { lesson, state } = lessonOf({ userId: null });
    for (let asked = 0; asked < 4; asked += 1) lesson.revealHint();
    expect(state().hintsShown).toBe(2);
    expect(asked).toEqual([]);
  });
});
