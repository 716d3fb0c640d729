import { JSDOM } from 'jsdom';
import { afterEach, describe, expect, it } from 'vitest';
import { disableAsleep, keepAuthState, keepDisplay, letTransitionsEnd } from './head-script.ts';

let dom: JSDOM | undefined;
afterEach(() => dom?.window.close());

function open(html: string) {
  dom = new JSDOM(html, { url: 'http://localhost:4321/', pretendToBeVisual: true });
  const view = dom.window as unknown as Window & typeof globalThis;
  const find = <E extends HTMLElement>(selector: string) => view.document.querySelector<E>(selector)!;
  return { view, find };
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

  it('hides a page that came for a cookie until its token is there', () => {
    const { view } = open('<html data-auth="in"><p>page</p></html>');
    keepAuthState(view);
    const { dataset } = view.document.documentElement;
    expect(dataset.unsure).toBe('in');
    view.localStorage.setItem('auth_token', 'token');
    view.dispatchEvent(new view.StorageEvent('storage', { key: 'auth_token' }));
    expect(dataset.unsure).toBeUndefined();
    keepAuthState(view);
    expect(dataset).toMatchObject({ auth: 'in' });
    expect(dataset.unsure).toBeUndefined();
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
  const PAGE = `<form id="outside"><button>Send</button></form>
    <astro-island ssr>
      <button id="press" type="button">Menu</button><button id="off" disabled>Off</button>
      <label>Text <input id="lost" value="as served"></label>
      <form action="/cart" method="post"><input id="posted"><button id="send">Send</button>
        <button id="show" type="button">Show</button></form>
      <form action="/login?next=%2Fcart" method="post"><input id="email"><button id="sign-in" type="submit">Sign In</button></form>
      <form action="/review" method="post"><textarea id="written">as served</textarea></form>
      <button id="opens" type="button" command="show-modal" commandfor="terms">Terms</button>
      <a id="link" href="/about">About</a>
    </astro-island>
    <button id="share" ssr>Share</button>`;
  const settled = () => new Promise((done) => setTimeout(done, 20));
  const disabled = (view: Window) => [...view.document.querySelectorAll(':disabled')].map(({ id }) => id);

  it('only what the browser does by itself can be used, and afterwards all as it was served', async () => {
    const { view, find } = open('');
    disableAsleep(view);
    view.document.body.innerHTML = PAGE;
    await settled();
    expect(disabled(view)).toEqual(['press', 'off', 'lost', 'show', 'sign-in', 'written', 'share']);
    find('astro-island').removeAttribute('ssr');
    await settled();
    expect(disabled(view)).toEqual(['off', 'share']);
    find('#share').removeAttribute('ssr');
    await settled();
    expect(disabled(view)).toEqual(['off']);
    expect(view.document.querySelector('[data-asleep]')).toBeNull();
  });

  it('a page that is left and shown again is as before, also where the browser restores what was disabled', async () => {
    const { view } = open(PAGE);
    disableAsleep(view);
    await settled();
    view.dispatchEvent(new view.Event('pageshow'));
    const before = disabled(view);
    view.dispatchEvent(new view.Event('pagehide'));
    await settled();
    expect(disabled(view)).toEqual(['off']);
    view.dispatchEvent(new view.Event('pageshow'));
    expect(disabled(view)).toEqual(before);
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
    const viewTransition = { ready: aborted(), finished: aborted(), updateCallbackDone: aborted() };
    view.dispatchEvent(Object.assign(new view.Event(type), { viewTransition }));
    view.dispatchEvent(Object.assign(new view.Event(type), { viewTransition: null }));
  }
  await new Promise((done) => setImmediate(done));
  process.off('unhandledRejection', count);
  expect(unhandled).toBe(0);
});
