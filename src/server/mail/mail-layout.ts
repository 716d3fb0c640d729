import { escapeHtml } from '#src/shared/escape-html.ts';
import { readFileSync } from 'node:fs';
import { greeting } from '#src/shared/names.ts';
import { parse } from 'yaml';
import { env } from '#src/server/start/env.ts';

export type MailContent = {
  /** First line, and heading in HTML. */
  title: string;
  /** Plain text; never read as HTML. */
  paragraphs: readonly string[];
  /** Safe HTML, and the same as paragraphs. */
  body?: { html: string; text: readonly string[] };
  /** Under the paragraphs; a strong one under a rule. */
  figures?: readonly { label: string; value: string; note?: string; strong?: boolean }[];
  /** Links with a line each, under the figures. */
  items?: readonly { label: string; url: string; note: string }[];
  after?: readonly string[];
  /** `url` starts with `env().siteUrl`, never a request's host (fault A13). */
  action?: { label: string; url: string };
  /** Under the action. */
  links?: readonly { label: string; url: string }[];
  /** Small print. */
  notes?: readonly string[];
};

let name: string | undefined;

export function siteName(): string {
  if (name === undefined) {
    const facts: unknown = parse(readFileSync(new URL('../../content/site.yaml', import.meta.url), 'utf8'));
    const found = (facts as { name?: unknown } | null)?.name;
    if (typeof found !== 'string') throw new Error('src/content/site.yaml has no name.');
    name = found.trim();
  }
  return name;
}

// Names in sentences: no line breaks or direction marks.
const inSentence = (value: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  value.replace(/[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();

type Figure = { label: string; value: string; note: string; strong: boolean };

const figureLine = ({ label, value, note }: Figure) => `${label}: ${value}${note && ` (${note})`}`;

/** Tables look alike in all mail programs. */
function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ label, value, note, strong }) => {
    const style = strong
      ? 'padding:12px 0;border-top:1px solid #101a2e;font-weight:600;font-size:18px'
      : 'padding:8px 0';
    const about = note ? `<br><span style="font-size:14px;color:#445069">${escapeHtml(note)}</span>` : '';
    return `<tr><td style="${style};vertical-align:top;word-break:break-word">${escapeHtml(label)}${about}</td><td style="${style};padding-left:16px;vertical-align:top;text-align:right;white-space:nowrap">${escapeHtml(value)}</td></tr>`;
  });
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="width:100%;border-collapse:collapse;margin:0 0 20px">
${rows.join('\n')}
</table>`;
}

/** Plain text and HTML from one content. */
export function mailLayout(content: MailContent): { text: string; html: string } {
  const title = inSentence(content.title);
  // Names from before the rule are filtered here.
  const paragraphs = content.paragraphs.map((paragraph) =>
    inSentence(paragraph.replace(/^Hello (.+),$/s, (_, called: string) => greeting(called, true))),
  );
  const body = content.body ?? { html: '', text: [] };
  const after = (content.after ?? []).map(inSentence);
  const notes = (content.notes ?? []).map(inSentence);
  const figures = (content.figures ?? []).map(({ label, value, note, strong = false }) => ({
    label: inSentence(label),
    value: inSentence(value),
    note: note === undefined ? '' : inSentence(note),
    strong,
  }));
  const links = (content.links ?? []).map(({ label, url }) => ({ label: inSentence(label), url }));
  const items = (content.items ?? []).map(({ label, url, note }) => ({
    label: inSentence(label),
    url,
    note: inSentence(note),
  }));
  const { action } = content;
  const signature = `${siteName()}, ${env().siteUrl}`;

  const text = [
    title,
    ...paragraphs,
    ...body.text.map(inSentence),
    ...(figures.length > 0 ? [figures.map(figureLine).join('\n')] : []),
    ...items.map(({ label, url, note }) => `${label}\n${note}\n${url}`),
    ...after,
    ...(action ? [`${inSentence(action.label)}:`, action.url] : []),
    ...links.flatMap(({ label, url: target }) => [`${label}:`, target]),
    ...notes,
    `-- \n${signature}`,
  ].join('\n\n');

  const p = (style: string, inner: string) => `<p style="margin:0 0 16px;${style}">${inner}</p>`;
  const url = action ? escapeHtml(action.url) : '';
  // Some programs drop the body's style, or the body.
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0">
<div style="padding:32px 16px;background:#faf8f4;color:#101a2e;font:16px/1.6 'Segoe UI',Helvetica,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e4dfd4;border-radius:10px">
<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3">${escapeHtml(title)}</h1>
${paragraphs.map((paragraph) => p('', escapeHtml(paragraph))).join('\n')}
${body.html}
${figures.length > 0 ? figureTable(figures) : ''}
${items.map(({ label, url, note }) => p('word-break:break-word', `<a href="${escapeHtml(url)}" style="color:#2145cf">${escapeHtml(label)}</a><br><span style="font-size:14px;color:#445069">${escapeHtml(note)}</span>`)).join('\n')}
${after.map((paragraph) => p('', escapeHtml(paragraph))).join('\n')}
${
  action
    ? `${p('margin-top:24px', `<a href="${url}" style="display:inline-block;padding:11px 20px;background:#2145cf;color:#ffffff;font-weight:600;text-decoration:none;border-radius:8px">${escapeHtml(inSentence(action.label))}</a>`)}
${p('font-size:14px;color:#445069;word-break:break-word', `If the button does not work, open this address: <a href="${url}" style="color:#2145cf">${url}</a>`)}`
    : ''
}
${links.length > 0 ? p('font-size:14px', links.map(({ label, url: target }) => `<a href="${escapeHtml(target)}" style="color:#2145cf">${escapeHtml(label)}</a>`).join(' &#183; ')) : ''}
${notes.map((note) => p('font-size:14px;color:#445069', escapeHtml(note))).join('\n')}
</div>
<p style="max-width:520px;margin:16px auto 0;font-size:13px;color:#5d677c;text-align:center">${escapeHtml(signature)}</p>
</div>
</body></html>
`;
  return { text, html };
}
