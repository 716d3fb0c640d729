import { describe, expect, it } from 'vitest';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { withoutComments } from './without-comments.server.ts';

/** Language, a program, and what is shown of it. */
const PROGRAMS: [CodingLanguage, string, string][] = [
  [
    'javascript',
    '// Ada Lovelace\n/* mail:\n   ada@example.com */\nconst url = "http://a"; // mine\nreturnIt(/* a */ url);\n',
    'const url = "http://a";\nreturnIt(  url);',
  ],
  ['javascript', '#!/usr/bin/ada\nf("// no comment")', 'f("// no comment")'],
  [
    'react',
    '// Ada\nconst App = () => (\n  <p>\n    {/* Ada */}\n    // no comment\n  </p>\n);',
    'const App = () => (\n  <p>\n    { }\n    // no comment\n  </p>\n);',
  ],
  [
    'python',
    '"""By Ada."""\n# Ada\ndef f(n):\n    """Ada again."""\n    return "#1"  # Ada\n\ndef g():\n    """Only Ada."""\n',
    'def f(n):\n    return "#1"\n\ndef g():\n    " "',
  ],
  [
    'html',
    '<!-- Ada -->\n<p>Hi<!-- Ada --></p>\n<style>/* Ada */ p { color: red }</style>\n<script>// Ada\nf()</script>\n<template><!-- Ada --></template>',
    '<p>Hi </p>\n<style>  p { color: red }</style>\n<script>\nf()</script>\n<template> </template>',
  ],
  [
    'html',
    '<p style="/* Ada */color: red" onclick="return f() // Ada" title="/* no */">Hi</p>\n<noscript><!-- Ada --></noscript>',
    '<p style=" color: red" onclick="return f()  " title="/* no */">Hi</p>\n<noscript> </noscript>',
  ],
  [
    'sql',
    "-- Ada Lovelace\nSELECT name /* Ada /* again */ Ada */ FROM \"a--b\" -- Ada\nWHERE city = '-- it''s none' AND e = E'it\\'s';\nDO $$\nBEGIN -- Ada\n  RAISE NOTICE '-- none'; END $$;",
    "SELECT name   FROM \"a--b\"\nWHERE city = '-- it''s none' AND e = E'it\\'s';\nDO $$\nBEGIN\n  RAISE NOTICE '-- none'; END $$;",
  ],
  ['sql', "SELECT $a$ it's -- Ada $a$ AS été", 'SELECT $a$ $a$ AS été'],
  [
    'typescript',
    "// Ada\ninterface Pet {\n  // Ada\n  name: string; /* Ada */\n  url: 'http://a' | `/*x*/`;\n}\nconst f = (a /* Ada */: number /* Ada */): string => '//' + a; // Ada\ntype A = /* Ada */ 1 // Ada\nlet b = 1 as const;",
    "interface Pet {\n  name: string;\n  url: 'http://a' | `/*x*/`;\n}\nconst f = (a  : number  ): string => '//' + a;\ntype A =   1\nlet b = 1 as const;",
  ],
  ['css', '/* Ada */\np { content: "/* no */"; /* Ada */ }', 'p { content: "/* no */";   }'],
];

describe('a program that others see', () => {
  it.each(PROGRAMS)('has no comments: %s %j', async (language, code, shown) => {
    expect(await withoutComments(language, code)).toBe(shown);
  });

  it.each<[CodingLanguage, string]>([
    ['javascript', 'const = /* Ada */ 1'],
    ['python', 'def f(:\n  # Ada'],
    ['typescript', 'const = /* Ada */ 1'],
    ['typescript', 'enum A { B } // Ada'],
    ['sql', "SELECT 'it -- Ada"],
    ['sql', 'SELECT (1 -- Ada'],
  ])('is not shown where it cannot be read: %s', async (language, code) => {
    expect(await withoutComments(language, code)).toBeNull();
  });
});
