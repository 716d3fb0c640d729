import { describe, expect, it } from 'vitest';
import { setEnvironment } from '#src/server/start/env.ts';
import { mailMarkdown } from './mail-markdown.ts';

setEnvironment({ SITE_URL: 'https://site.test' });

describe('Markdown in mails', () => {
  it('keeps words in bold, links, lists and tables, each with its look', () => {
    const { html, text } = mailMarkdown(
      '**New**: see [the lesson](/lesson/7) and [MDN](https://developer.mozilla.org).\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    );
    expect(html).toContain('<strong>New</strong>');
    expect(html).toContain('href="https://site.test/lesson/7"');
    expect(html).toContain('href="https://developer.mozilla.org/"');
    expect(html).toContain('<li>one</li>');
    expect(html).toMatch(/<td style="[^"]*border[^"]*">1<\/td>/);
    expect(text).toContain(
      'New: see the lesson (https://site.test/lesson/7) and MDN (https://developer.mozilla.org).',
    );
  });

  it('stands addresses that are none', () => {
    expect(mailMarkdown('[x](http://[) [y](https://a:b:c/) [z](#here)').html).toContain('x');
  });

  it('has no picture, script, class, nor formula in parts', () => {
    const { html } = mailMarkdown(
      'A ![plan](/pictures/abc/plan.png) <script>x</script> $a^2$ [x](javascript:alert(1))\n\n```js\nconst a = 1;\n```',
    );
    expect(html).not.toMatch(/<(img|script|math|span|div)|class=|href="javascript/);
    expect(html).toContain('plan');
    expect(html).toContain('a^2');
    expect(html).toContain('const a = 1;');
  });
});
