import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type KeyInput } from 'puppeteer-core';
import { Builder, Key, type WebDriver } from 'selenium-webdriver';
import { freePort } from '../support/site.ts';

/** Keys that are more than a character. */
export type NamedKey = 'Tab' | 'Enter' | 'Escape' | 'ArrowDown' | 'ArrowRight' | 'Space';

/** What the tests need of a browser: an address bar, a keyboard, and a look at the page. */
export interface Browser {
  goto(url: string): Promise<void>;
  press(key: NamedKey): Promise<void>;
  /** Everything in the field that has the focus is selected. */
  selectAll(): Promise<void>;
  type(text: string): Promise<void>;
  /** Gives what an expression is in the page, as JSON can hold it. */
  read<T>(expression: string): Promise<T>;
  /** A picture of what is to be seen, PNG. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

export type Engine = { name: string; packages: string[]; find(): boolean; open(): Promise<Browser> };

const onPath = (name: string) => spawnSync('which', [name]).status === 0;

/** Firefox speaks WebDriver BiDi by itself. */
const firefox: Engine = {
  name: 'Firefox',
  packages: ['firefox-esr'],
  find: () => onPath('firefox-esr') || onPath('firefox'),
  async open() {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: spawnSync('which', [onPath('firefox-esr') ? 'firefox-esr' : 'firefox'])
        .stdout.toString()
        .trim(),
      headless: true,
      defaultViewport: { width: 1280, height: 900 },
    });
    const page = await browser.newPage();
    return {
      goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
      press: (key) => page.keyboard.press(key as KeyInput),
      async selectAll() {
        await page.keyboard.down('Control');
        await page.keyboard.press('a');
        await page.keyboard.up('Control');
      },
      type: (text) => page.keyboard.type(text),
      read: async <T>(expression: string) => (await page.evaluate(expression)) as T,
      picture: async () => Buffer.from(await page.screenshot()),
      close: () => browser.close(),
    };
  },
};

/** Looked for each time: the run may have installed it since. */
const miniBrowser = () => globSync('/usr/lib/*/webkit2gtk-4*/MiniBrowser')[0];

/** WebKit's own driver and small browser, as Debian builds them; it wants a screen. */
const webkit: Engine = {
  name: 'WebKit',
  packages: ['webkit2gtk-driver', 'xvfb', 'xauth'],
  find: () => onPath('WebKitWebDriver') && onPath('xvfb-run') && miniBrowser() !== undefined,
  async open() {
    const port = await freePort();
    const screen = spawn(
      'xvfb-run',
      ['-a', '-s', '-screen 0 1280x900x24', 'WebKitWebDriver', `--port=${port}`],
      {
        stdio: 'ignore',
        detached: true,
        env: {
          ...process.env,
          // Its own sandbox needs user namespaces, which containers and root do not give it.
          WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
          WEBKIT_DISABLE_DMABUF_RENDERER: '1',
          XDG_CONFIG_HOME: stillSettings(),
        },
      },
    );
    const driver = await connect(port, screen);
    await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 900 });
    const send = (...keys: string[]) =>
      driver
        .actions()
        .sendKeys(...keys)
        .perform();
    const named: Record<NamedKey, string> = {
      Tab: Key.TAB,
      Enter: Key.ENTER,
      Escape: Key.ESCAPE,
      ArrowDown: Key.ARROW_DOWN,
      ArrowRight: Key.ARROW_RIGHT,
      Space: ' ',
    };
    return {
      goto: (url) => driver.get(url),
      press: (key) => send(named[key]),
      selectAll: () => driver.actions().keyDown(Key.CONTROL).sendKeys('a').keyUp(Key.CONTROL).perform(),
      type: (text) => send(text),
      read: (expression) => driver.executeScript(`return (${expression})`),
      picture: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
      async close() {
        await Promise.race([driver.quit().catch(() => {}), sleep(5_000)]);
        process.kill(-screen.pid!, 'SIGTERM');
      },
    };
  },
};

/**
 * Settings of somebody who wants no animations. WebKitGTK 2.50 crashes in transitions between pages where it has no
 * graphics card, as on a screen of Xvfb.
 */
function stillSettings(): string {
  const folder = mkdtempSync(join(tmpdir(), 'academy-webkit-'));
  mkdirSync(join(folder, 'gtk-3.0'));
  writeFileSync(join(folder, 'gtk-3.0', 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  return folder;
}

/** Waits until the driver listens, and has it open a browser. */
async function connect(port: number, screen: ChildProcess): Promise<WebDriver> {
  for (let attempt = 0; ; attempt += 1) {
    const ready = await fetch(`http://127.0.0.1:${port}/status`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) break;
    if (screen.exitCode !== null || attempt > 200) throw new Error('WebKitWebDriver did not start.');
    await new Promise((done) => setTimeout(done, 100));
  }
  return new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
    })
    .build();
}

export const ENGINES: readonly Engine[] = [firefox, webkit];
