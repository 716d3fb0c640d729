import { cssSyntaxError, explainCss } from '../../explanations/css.ts';
import { explainHtml } from '../../explanations/html.ts';
import { explainNoMatch } from '../../explanations/selectors.ts';
import type { Observation, Program, RunLimits } from '../../runner.ts';
import {
  eachInput,
  ended,
  failure,
  invalidInput,
  NOTHING,
  note,
  observationOf,
  stopped,
} from './observations.ts';
import { parseQuery, type Query } from './query.ts';
import { unpack } from './readings.ts';
import {
  type Called,
  callSandbox,
  close,
  isStopped,
  recycle,
  type Sandbox,
  takeSandbox,
} from './sandboxes.ts';

/** Its memory holds what it was given. */
const SMALL_PAGE_CHARS = 20_000;
const SHORT_RUN_MS = 300;

const WHOLE_PAGE: Query = { selector: 'body', read: { what: 'text' }, media: null };

class Page {
  readonly #program: Program;
  readonly #memoryMb: number;
  readonly #openedAt = performance.now();
  #sandbox: Sandbox | null = null;

  constructor(program: Program, memoryMb: number) {
    this.#program = program;
    this.#memoryMb = memoryMb;
  }

  /** Null: the text of the whole page. */
  async look(query: Query | null, timeoutMs: number): Promise<Called> {
    if (!this.#sandbox) {
      this.#sandbox = await takeSandbox(this.#memoryMb);
      const { language, code, fixture } = this.#program;
      const source = language === 'css' ? [fixture, code] : [code, null];
      const opened = await this.#call('openPage', source, timeoutMs);
      if (!('value' in opened)) return opened;
    }
    return query
      ? this.#call('lookAtPage', [JSON.stringify(query)], timeoutMs)
      : this.#call('pageText', [], timeoutMs);
  }

  async #call(name: 'openPage' | 'lookAtPage' | 'pageText', values: unknown[], ms: number): Promise<Called> {
    const sandbox = this.#sandbox!;
    const called = await callSandbox(sandbox, name, values, ms);
    if (!('value' in called)) {
      // It was cut off in the middle of something.
      close(sandbox);
      this.#sandbox = null;
    }
    return called;
  }

  leave(): void {
    if (!this.#sandbox) return;
    const { code, fixture } = this.#program;
    const isSmall = code.length + fixture.length <= SMALL_PAGE_CHARS;
    if (isSmall && performance.now() - this.#openedAt <= SHORT_RUN_MS) recycle(this.#sandbox);
    else close(this.#sandbox);
  }
}

/** One page for all inputs, since no program runs in it. */
export async function runPage(program: Program, limits: RunLimits): Promise<Observation[]> {
  const isCss = program.language === 'css';
  const syntaxError = isCss ? cssSyntaxError(program.code) : null;
  if (syntaxError) return eachInput(program, limits, async () => ended(failure('syntax_error', syntaxError)));
  const { code, fixture } = program;
  const [hint] = isCss ? explainCss(code, fixture) : explainHtml(code);
  const page = new Page(program, limits.memoryMb);
  try {
    return await eachInput(program, limits, async (input, { wallMs }) => {
      // Styles alone show nothing.
      if (isCss && input === null) return ended({ ...NOTHING, kind: 'value', value: '' });
      let query: Query | null;
      try {
        query = input === null ? null : parseQuery(input);
      } catch (error) {
        return ended(invalidInput(error));
      }
      const called = await page.look(query, wallMs);
      if (isStopped(called)) {
        const observation = stopped(called.stopped);
        return { result: { observation }, isOutOfTime: called.stopped === 'time_limit' };
      }
      if ('thrown' in called) return ended(unreadable(called.thrown));
      const [found = '', detail = ''] = unpack(String(called.value));
      const observation = observationOf(found, detail, query ?? WHOLE_PAGE, limits);
      const { error } = observation;
      if (error?.name === 'NoMatch' && !isCss)
        error.explanation = explainNoMatch(query?.selector ?? '', code);
      return ended(hint ? { ...observation, hint } : observation);
    });
  } finally {
    page.leave();
  }
}

function unreadable(error: Error): Observation {
  const isDeep = /call stack|nest/i.test(error.message);
  const message = isDeep
    ? 'The page is nested too deeply to be read.'
    : `The page cannot be read: ${error.message}`;
  return failure('runtime_error', note('PageError', message.slice(0, 500)));
}
