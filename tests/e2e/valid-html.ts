import { HtmlValidate } from 'html-validate';

// The standard, and nothing of taste.
const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:document'],
  elements: [
    'html5',
    {
      'astro-island': { flow: true, phrasing: true, transparent: true },
      // Astro writes one before the first island of a page, wherever that stands. Browsers take it there, as all do with
      // style elements in bodies; nothing but rewriting Astro would move it.
      style: { flow: true, phrasing: true },
    },
  ],
  rules: {
    // React's generated ids begin with a character that only old style sheets stumbled over.
    'valid-id': ['error', { relaxed: true }],
    'no-inline-style': 'off',
    'require-sri': 'off',
    'long-title': 'off',
  },
});

/** What is not valid in a page's HTML, each with its place. */
export async function htmlFindings(path: string, html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line, selector }) => `${path} line ${line}: ${ruleId}: ${message} (${selector})`,
    ),
  );
}
