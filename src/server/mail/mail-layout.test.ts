import { describe, expect, it } from 'vitest';
import { mailLayout, siteName } from './mail-layout.ts';

const url = 'https://site.test/reset-password?token=a&b="c"';

describe('mailLayout', () => {
  it('says the same in plain text and in HTML', () => {
    const { text, html } = mailLayout({
      title: 'Reset your password',
      paragraphs: ['Hello Ada,', 'someone asked for a new password.'],
      action: { label: 'Choose a new password', url },
      notes: ['The link works for 60 minutes.'],
    });
    for (const words of ['Reset your password', 'Hello Ada,', 'Choose a new password', 'The link works']) {
      expect(text).toContain(words);
      expect(html).toContain(words);
    }
    expect(text).toContain(`\n\n${url}\n\n`);
    expect(html).toContain('href="https://site.test/reset-password?token=a&#38;b=&#34;c&#34;"');
    expect(text).toContain(siteName());
  });

  it('sets figures as a table, with links below', () => {
    const { text, html } = mailLayout({
      title: 'Receipt',
      paragraphs: ['Hello,'],
      figures: [
        { label: 'C++ & <b>friends</b>', value: '$49.00', note: 'Online course' },
        { label: 'Total', value: '$49.00 USD', strong: true },
      ],
      after: ['Your course is waiting.'],
      links: [{ label: 'See your order', url }],
    });
    expect(text).toContain(
      'Hello,\n\nC++ & <b>friends</b>: $49.00 (Online course)\nTotal: $49.00 USD\n\nYour course is waiting.',
    );
    expect(text).toContain(`See your order:\n\n${url}`);
    expect(html).toContain('C++ &#38; &#60;b&#62;friends&#60;/b&#62;');
    expect(html).toContain('<table role="presentation"');
    expect(html).toContain('href="https://site.test/reset-password?token=a&#38;b=&#34;c&#34;"');
  });

  it('shows what people typed as text', () => {
    const { html } = mailLayout({
      title: '<img src=x onerror=alert(1)>',
      paragraphs: [`Hello "><script>alert('x')</script>,`],
    });
    expect(html).not.toMatch(/<script|<img/);
    expect(html).toContain('&#60;script&#62;');
  });

  it('keeps line breaks and direction marks in names from changing the mail', () => {
    const { text } = mailLayout({ title: 'Hello', paragraphs: ['For Ada\r\nBcc: x@evil.test\u202e,'] });
    expect(text).toContain('For Ada Bcc: x@evil.test ,');
  });
});
