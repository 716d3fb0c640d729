import { describe, expect, it } from 'vitest';
import { loginPath, safeNextPath, withNext } from './paths.ts';

describe('safeNextPath', () => {
  it.each([
    ['/', '/'],
    ['/courses/7', '/courses/7'],
    ['/courses?search=a%2Fb&category=1', '/courses?search=a%2Fb&category=1'],
    ['/courses?search=%0Aline', '/courses?search=%0Aline'],
    ['/learn/3#lesson-2', '/learn/3#lesson-2'],
    ['/courses/../cart', '/cart'],
    ['/checkout?return=https://elsewhere.test/', '/checkout?return=https://elsewhere.test/'],
    ['/c/%C3%A9', '/c/%C3%A9'],
  ])('keeps %j', (given, kept) => {
    expect(safeNextPath(given)).toBe(kept);
  });

  it.each([
    '',
    'dashboard',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\\/evil.test',
    '/courses\\evil',
    'https://evil.test/',
    'HTTPS:evil.test',
    'javascript:alert(1)',
    'data:text/html,x',
    '%2f%2fevil.test',
    '/%2f%2fevil.test',
    '/%2fevil.test',
    '/%252f%252fevil.test',
    '/%5cevil.test',
    '/%255cevil.test',
    '/./%2fevil.test',
    '/..//evil.test',
    '/%2e%2e//evil.test',
    '/.//evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '\t//evil.test',
    ' //evil.test',
    '/%09/evil.test',
    '/%00',
    '/a\0b',
    '/%',
    '/%ff',
    '/\ud800',
    `/${'a'.repeat(2000)}`,
  ])('refuses %j', (given) => {
    expect(safeNextPath(given)).toBeNull();
  });

  it.each([null, undefined, 7, ['/a'], { toString: () => '/a' }])('refuses what is not text: %j', (given) => {
    expect(safeNextPath(given)).toBeNull();
  });

  it('never gives back an address that a browser takes to another host', () => {
    const pieces = ['/', '\\', '%2f', '%5c', '.', '%2e', '\t', '@', 'evil.test', ':', '?', '#', 'a'];
    let kept = 0;
    for (let seed = 0; seed < 20_000; seed += 1) {
      let value = '/';
      for (let rest = seed * 7919; rest > 0; rest = Math.floor(rest / pieces.length)) {
        value += pieces[rest % pieces.length];
      }
      const safe = safeNextPath(value);
      if (safe === null) continue;
      kept += 1;
      expect(new URL(safe, 'https://site.test').origin).toBe('https://site.test');
      expect(safeNextPath(safe)).toBe(safe);
    }
    expect(kept).toBeGreaterThan(1000);
  });
});

describe('loginPath', () => {
  it('carries the way back', () => {
    expect(loginPath('/courses/7?tab=about')).toBe('/login?next=%2Fcourses%2F7%3Ftab%3Dabout');
    expect(withNext('/register', '/cart')).toBe('/register?next=%2Fcart');
  });

  it('leaves out one that must not be followed', () => {
    expect(loginPath('//evil.test')).toBe('/login');
    expect(loginPath()).toBe('/login');
    expect(loginPath(null)).toBe('/login');
  });
});
