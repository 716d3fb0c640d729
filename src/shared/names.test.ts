import { describe, expect, it } from 'vitest';
import { greeting, isPlainName, mailedName, nameLine } from './names.ts';

const PLAIN = [
  'Ada Lovelace',
  'J. R. R. Tolkien',
  'Dr. Grace Hopper',
  "Conan O'Brien",
  'María José Núñez-García',
  '山田 太郎',
  'محمد بن سلمان',
  'می\u200cخواهم',
  'Müller & Söhne GmbH & Co. KG',
  'A/S Kongens Nytorv',
  'AT&T (Europe), Inc.',
  'Web 2.0 Agency',
  'Yahoo!',
  'Sammy Davis, Jr.',
  'Jean-Luc “JL” Picard',
  '👩🏽‍🚀 Mae',
  '</title><b onclick="x">Ada',
];

const NOT_PLAIN = [
  'evil.test',
  'evil.test?x',
  'Go to evil.test now',
  'EVIL.TEST/win',
  'a.co',
  'login.bank.example',
  'xn--80ak6aa92e.com',
  'пример.рф',
  '例え。テスト',
  'evil．test',
  'evil｡test',
  'evil․test',
  'ev\u200dil.\u200dtest',
  'Ada.Lovelace',
  'https://evil',
  'hTTp:evil',
  'javascript:alert(1)',
  'mailto:a',
  'tel:+1555',
  'ftp://1',
  '//evil',
  '\\\\evil\\share',
  'www.evil',
  'WWW.evil',
  'ada@evil',
  'ada＠evil',
  '192.168.0.1',
  'http://2130706433',
  'Ada\nYour account is locked',
  'Ada\u202egnp.exe',
  'Ada\u2066x\u2069',
  'A\u200bda',
  'Ada\u00ad',
  'Ada\u0007',
  'Ada\u2028x',
  'x'.repeat(161),
];

describe('a name in a mail', () => {
  it.each(PLAIN)('may be %j', (name) => {
    expect(isPlainName(name)).toBe(true);
    expect(greeting(name, true)).toBe(`Hello ${name},`);
    expect(nameLine('Full name', { max: 160 }).parse(name)).toBe(name);
  });

  it.each(NOT_PLAIN)('is never %j', (name) => {
    expect(isPlainName(name)).toBe(false);
    expect(greeting(name, true)).toBe('Hello,');
    expect(mailedName(name, 'Somebody')).toBe('Somebody');
    const refused = nameLine('Full name', { max: 160 }).safeParse(name);
    expect(refused.error?.issues[0]?.message).toMatch(/^Full name must /);
  });

  it('is left out where the address is nobody’s yet, or there is none', () => {
    expect(greeting('Ada', false)).toBe('Hello,');
    expect(greeting('  ', true)).toBe('Hello,');
    expect(greeting(null, true)).toBe('Hello,');
    expect(mailedName(undefined, 'Somebody')).toBe('Somebody');
  });
});
