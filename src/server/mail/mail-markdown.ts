import sanitizeHtml from 'sanitize-html';
import { plainParagraphs, renderMarkdown } from '#src/server/markdown.ts';
import { env } from '#src/server/start/env.ts';

// Inline styles: mail programs ignore ours.
const RULE = 'border:1px solid #e4dfd4';
const LOOKS: Record<string, string> = {
  p: 'margin:0 0 16px',
  h2: 'margin:24px 0 8px;font-size:19px;line-height:1.3',
  h3: 'margin:20px 0 8px;font-size:17px;line-height:1.3',
  ...Object.fromEntries(
    ['h4', 'h5', 'h6'].map((tag) => [tag, 'margin:16px 0 8px;font-size:16px;line-height:1.3']),
  ),
  ul: 'margin:0 0 16px;padding-left:24px',
  ol: 'margin:0 0 16px;padding-left:24px',
  blockquote: 'margin:0 0 16px;padding-left:16px;border-left:3px solid #e4dfd4;color:#445069',
  pre: 'margin:0 0 16px;padding:12px;background:#faf8f4;font-size:14px;white-space:pre-wrap;word-break:break-word',
  code: 'font-family:Consolas,Menlo,monospace',
  table: `margin:0 0 16px;border-collapse:collapse;${RULE}`,
  th: `padding:6px 10px;text-align:left;vertical-align:top;background:#faf8f4;${RULE}`,
  td: `padding:6px 10px;vertical-align:top;${RULE}`,
  a: 'color:#2145cf;word-break:break-word',
  hr: `margin:24px 0;border:0;border-top:1px solid #e4dfd4`,
};
const PLAIN = ['strong', 'em', 's', 'br', 'li', 'thead', 'tbody', 'tr', 'sup'];

/** Words, full links, lists, tables and code; pictures and formulas as text. */
export function mailMarkdown(source: string): { html: string; text: string[] } {
  const site = env().siteUrl;
  const html = sanitizeHtml(renderMarkdown(source, { topHeading: 2, pictures: false }), {
    allowedTags: [...Object.keys(LOOKS), ...PLAIN],
    allowedAttributes: { '*': ['style'], a: ['href', 'style'], ol: ['start', 'style'] },
    transformTags: {
      '*': (tagName, { href, start }) => ({
        tagName,
        attribs: {
          ...(LOOKS[tagName] && { style: LOOKS[tagName] }),
          ...(start && { start }),
          // Fragments lead nowhere in a mail.
          ...(href &&
            !href.startsWith('#') &&
            URL.canParse(href, site) && { href: new URL(href, site).href }),
        },
      }),
    },
  });
  const text = plainParagraphs(source).map((paragraph) =>
    paragraph.replace(/\((\/[^\s)]*)\)/g, `(${site}$1)`),
  );
  return { html: html.trim(), text };
}
