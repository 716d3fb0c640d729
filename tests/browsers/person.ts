import type { Browser, NamedKey } from './engines.ts';

const PATIENCE_MS = 30_000;
/** More than any page of the way has. */
const MOST_STOPS = 150;

/** What has the focus, the fields of a card included, which lie in a shadow root. */
const ON = `let on = document.activeElement;
  while (on?.shadowRoot?.activeElement) on = on.shadowRoot.activeElement;`;

/** The name of what has the focus, as far as our own markup gives names. */
const FOCUSED = `(() => {
  ${ON}
  if (!on || on === document.body) return '';
  const of = (id) => on.getRootNode().getElementById(id)?.textContent ?? '';
  const by = on.getAttribute('aria-labelledby');
  const name = on.getAttribute('aria-label') || (by && by.split(' ').map(of).join(' ')) ||
    [...(on.labels ?? [])].map((label) => label.textContent).join(' ') || on.innerText || on.value || '';
  return name.replace(/\\s+/g, ' ').trim();
})()`;

/** Where the focus stands, and whether one can see that it does. */
const FOCUS_IS_SEEN = `(() => {
  ${ON}
  const box = on.getBoundingClientRect();
  const style = getComputedStyle(on);
  const ringed = (one) => { const s = getComputedStyle(one); return (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== 'none'; };
  let outer = on;
  for (let up = 0; up < 4 && outer; up += 1, outer = outer.parentElement) if (ringed(outer)) break;
  return { name: on.outerHTML.slice(0, 120), seen: Boolean(outer), inView: box.bottom > 0 && box.top < innerHeight && box.width > 0 };
})()`;

const matches = (name: string | RegExp, found: string) =>
  typeof name === 'string' ? found === name : name.test(found);

const text = (value: string) => JSON.stringify(value);

/** Somebody who uses a site by its keyboard alone. */
export class Person {
  readonly browser: Browser;
  readonly site: string;

  constructor(browser: Browser, site: string) {
    this.browser = browser;
    this.site = site;
  }

  /** Types an address; waits until the scripts of the page that matter at once are awake. */
  async visit(path: string): Promise<void> {
    await this.browser.goto(new URL(path, this.site).href);
    await this.settled();
  }

  async settled(): Promise<void> {
    await this.until(
      `document.readyState === 'complete' && !document.querySelector('astro-island[ssr][client="load"]')`,
      'the page to be there',
    );
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string, what: string): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      // A page that is just being left answers nothing.
      const found = await this.browser.read<boolean>(`Boolean(${expression})`).catch(() => false);
      if (found) return;
      if (Date.now() > end) {
        const [path, page] = await this.browser.read<[string, string]>(
          '[location.pathname, document.body.innerText.slice(0, 3000)]',
        );
        throw new Error(`Waited in vain for ${what} on ${path}:\n${page}`);
      }
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  /** Waits for words that are to be seen. */
  sees(words: string): Promise<void> {
    return this.until(`document.body.innerText.includes(${text(words)})`, `“${words}”`);
  }

  async arrivesAt(path: RegExp): Promise<void> {
    await this.until(`${path}.test(location.pathname + location.search)`, `the address ${path}`);
    await this.settled();
  }

  /** Presses Tab until something of this name has the focus; it must be to be seen there. */
  async tabTo(name: string | RegExp): Promise<void> {
    const passed: string[] = [];
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      await this.browser.press('Tab');
      const now = await this.browser.read<string>(FOCUSED);
      if (matches(name, now)) {
        const focus = await this.browser.read<{ name: string; seen: boolean; inView: boolean }>(
          FOCUS_IS_SEEN,
        );
        if (!focus.seen || !focus.inView)
          throw new Error(`The focus is not to be seen: ${JSON.stringify(focus)}`);
        return;
      }
      passed.push(now);
    }
    throw new Error(`Tab does not come to ${name}. It came by: ${passed.slice(0, 80).join(' | ')}`);
  }

  async pressOn(name: string | RegExp, key: NamedKey = 'Enter'): Promise<void> {
    await this.tabTo(name);
    await this.browser.press(key);
  }

  /** Writes into a field, which some forms go on to by themselves. */
  async fill(name: string | RegExp, value: string): Promise<void> {
    if (!matches(name, await this.focused())) await this.tabTo(name);
    await this.browser.type(value);
  }

  focused(): Promise<string> {
    return this.browser.read(FOCUSED);
  }
}
