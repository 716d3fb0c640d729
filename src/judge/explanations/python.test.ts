import { describe, expect, test } from 'vitest';
import { explainPython } from './python.ts';

// That these are the words of the interpreter is tested against it in tests/judge/python.test.ts.
describe('a common mistake', () => {
  test.each([
    [
      'NameError',
      "name 'totl' is not defined. Did you mean: 'total'?",
      null,
      'No "totl" exists at this point. Python knows "total"',
    ],
    ['NameError', "name 'list' is not defined", null, 'No "list" exists'],
    [
      'TypeError',
      "unsupported operand type(s) for -: 'str' and 'int'",
      null,
      '- does not work between text and a whole number',
    ],
    ['TypeError', 'can only concatenate str (not "NoneType") to str', null, 'None, the value of nothing'],
    ['TypeError', "'int' object is not callable", 'print(2 (3 + 4))', 'To multiply'],
    ['TypeError', "'list' object is not callable", 'x = list(range(3))', 'used for a variable'],
    ['SyntaxError', 'invalid syntax', 'else if x:', 'elif'],
    ['SyntaxError', 'invalid syntax', 'if a && b:', '"and" and "or"'],
    ['SyntaxError', 'invalid syntax', 'let x = 1', 'needs no word in front'],
    ['IndentationError', "expected an indented block after 'for' statement on line 3", '', 'line 3'],
    ['IndentationError', 'expected an indented block after function definition on line 7', '', 'line 7'],
    ['KeyError', "'name'", null, "no key 'name'"],
    ['IndexError', 'list index out of range', null, 'counted from 0'],
    [
      'UnboundLocalError',
      "cannot access local variable 'n' where it is not associated with a value",
      null,
      '"n"',
    ],
  ])('%s: %s', (name, message, line, part) => {
    expect(explainPython(name, message, line)).toContain(part);
  });

  test('is not seen in other errors', () => {
    expect(explainPython('MyOwnError', 'anything', null)).toBeNull();
    expect(explainPython('ValueError', 'my own words', null)).toBeNull();
    expect(explainPython('TypeError', '', null)).toBeNull();
  });

  test('leaves no place in its text unfilled', () => {
    const text = explainPython('TypeError', "f() missing 2 required positional arguments: 'a' and 'b'", null);
    expect(text).toContain("f is called with too few values: 'a' and 'b' is missing");
    expect(text).not.toMatch(/\$\d|undefined/);
  });
});
