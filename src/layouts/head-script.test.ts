import { JSDOM } from 'jsdom';
import { afterEach, describe, expect, it } from 'vitest';
import { keepAuthState, keepDisplay, keepEarlyInput, letTransitionsEnd } from './head-script.ts';

let dom: JSDOM | undefined;
afterEach(() => dom?.window.close());

function open(html: string) {
  dom = new JSDOM(html, { url: 'http://localhost:4321/', pretendToBeVisual: true });
  const view = dom.window as unknown as Window & typeof globalThis;
  const find = <E extends HTMLElement>(selector: string) => view.document.querySelector<E>(selector)!;
  const type = (field: HTMLInputElement, text: string) => {
    field.value = text;
    field.dispatchEvent(new view.Event('input', { bubbles: true }));
  };
  /** What the framework does once an island's script is there. */
  const wake = async () => {
    find('astro-island').removeAttribute('ssr');
    await new Promise((done) => setTimeout(done, 20));
  };
  return { view, find, type, wake };
}

describe('whether somebody is signed in', () => {
  it('is said before the first paint, and follows other tabs', () => {
    const { view } = open('<p>page</p>');
    keepAuthState(view);
    const { dataset } = view.document.documentElement;
    expect(dataset.auth).toBe('out');
    view.localStorage.setItem('auth_token', 'token');
    view.dispatchEvent(new view.StorageEvent('storage', { key: 'auth_token' }));
    expect(dataset.auth).toBe('in');
    view.localStorage.clear();
    view.dispatchEvent(new view.StorageEvent('storage', { key: 'other' }));
    expect(dataset.auth).toBe('in');
    view.dispatchEvent(new view.StorageEvent('storage', { key: null }));
    expect(dataset.auth).toBe('out');
  });

  it('is left as the server said it', () => {
    const { view } = open('<html data-auth="in"><p>page</p></html>');
    keepAuthState(view);
    expect(view.document.documentElement.dataset.auth).toBe('in');
  });
});

describe('how the page is shown', () => {
  it('is as it was chosen before the first paint, and follows other tabs', () => {
    const { view } = open('<p>page</p>');
    const { dataset } = view.document.documentElement;
    view.localStorage.setItem('display', '{"theme":"dark","text":"large","other":"x"}');
    keepDisplay(view);
    expect(dataset).toMatchObject({ theme: 'dark', text: 'large' });
    expect(dataset.other).toBeUndefined();
    view.localStorage.setItem('display', '{"line":"wide"}');
    view.dispatchEvent(new view.StorageEvent('storage', { key: 'display' }));
    expect(dataset.theme).toBeUndefined();
    expect(dataset.line).toBe('wide');
  });

  it.each(['no JSON', 'null', '[]', '{"theme":7}'])('is the usual one where the browser keeps %s', (kept) => {
    const { view } = open('<p>page</p>');
    view.localStorage.setItem('display', kept);
    keepDisplay(view);
    expect(view.document.documentElement.dataset.theme).toBeUndefined();
  });
});

describe('before an island has woken', () => {
  it('a pressed button is pressed again once it has, and only once', async () => {
    const { view, find, wake } = open('<astro-island ssr><button type="button">Menu</button></astro-island>');
    keepEarlyInput(view);
    find('button').click();
    const heard: string[] = [];
    for (const name of ['pointerdown', 'mousedown', 'click'])
      find('button').addEventListener(name, () => heard.push(name));
    await wake();
    expect(heard).toEqual(['pointerdown', 'mousedown', 'click']);
    find('button').click();
    await wake();
    expect(heard).toEqual(['pointerdown', 'mousedown', 'click', 'click']);
  });

  it('what is typed and ticked is told again, then the form is sent, which did not leave the page', async () => {
    const { view, find, type, wake } = open(
      '<astro-island ssr><form><input id="text"><input id="box" type="checkbox"><button>Send</button></form></astro-island>',
    );
    keepEarlyInput(view);
    const form = find<HTMLFormElement>('form');
    type(find<HTMLInputElement>('#text'), 'typed early');
    find('#box').click();
    const early = new view.Event('submit', { bubbles: true, cancelable: true });
    form.dispatchEvent(early);
    expect(early.defaultPrevented).toBe(true);
    const heard: string[] = [];
    for (const name of ['input', 'change', 'submit'])
      form.addEventListener(name, (event) => {
        heard.push(`${name} ${(event.target as HTMLElement).id}`.trim());
        if (name === 'submit') event.preventDefault();
      });
    await wake();
    expect(heard.filter((one) => one === 'input text')).toHaveLength(2);
    expect(heard).toContain('change text');
    expect(heard).toContain('change box');
    expect(heard.at(-1)).toBe('submit');
    expect(find<HTMLInputElement>('#text').value).toBe('typed early');
    expect(find<HTMLInputElement>('#box').checked).toBe(true);
  });

  it('a form that holds its own values is only told that it was sent', () => {
    const { view, find } = open(
      '<astro-island ssr><form data-island=""><input><button>Send</button></form></astro-island>',
    );
    keepEarlyInput(view);
    const form = find<HTMLFormElement & { submittedEarly?: boolean }>('form');
    const early = new view.Event('submit', { bubbles: true, cancelable: true });
    form.dispatchEvent(early);
    expect([early.defaultPrevented, form.submittedEarly]).toEqual([true, true]);
  });

  it('nothing outside of islands, and nothing in one that has woken, is held back', () => {
    const { view, find } = open(
      '<form id="plain"><button>Send</button></form><astro-island><form id="woken"><button>Send</button></form></astro-island>',
    );
    keepEarlyInput(view);
    for (const id of ['#plain', '#woken']) {
      const sent = new view.Event('submit', { bubbles: true, cancelable: true });
      find(id).dispatchEvent(sent);
      expect(sent.defaultPrevented).toBe(false);
    }
  });
});

it('is quiet about a transition between pages that the browser ends early', async () => {
  const { view } = open('');
  letTransitionsEnd(view);
  let unhandled = 0;
  const count = () => {
    unhandled += 1;
  };
  process.on('unhandledRejection', count);
  for (const type of ['pageswap', 'pagereveal']) {
    const aborted = () => Promise.reject(new Error('Transition was aborted'));
    const viewTransition = { ready: aborted(), finished: aborted() };
    view.dispatchEvent(Object.assign(new view.Event(type), { viewTransition }));
    view.dispatchEvent(Object.assign(new view.Event(type), { viewTransition: null }));
  }
  await new Promise((done) => setImmediate(done));
  process.off('unhandledRejection', count);
  expect(unhandled).toBe(0);
});
