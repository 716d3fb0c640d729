import { counted } from '#src/shared/counted.ts';

/** Characters without pictures; more would block the page. */
export const HTML_MAX = 2_000_000;

export interface Pasted {
  text: string | null;
  told: string;
}

const number = (value: number) => value.toLocaleString('en-US');

/**
 * @param room characters that the field still takes
 * @param max characters that it takes altogether
 */
export async function pastedText(html: string, plain: string, room: number, max: number): Promise<Pasted> {
  let text = plain;
  let told = '';
  if (html && plain.length <= 2 * max) {
    // Embedded pictures are most of it, and are left out anyway.
    const light = html.replace(/data:image\/[^"')\s>]*/gi, 'data:');
    if (light.length > HTML_MAX) {
      told = `What you pasted was put in as plain text: with its format it has ${number(light.length)} characters, and at most ${number(HTML_MAX)} are turned into Markdown at once. Paste it in parts to keep the format.`;
    } else {
      const { htmlToMarkdown } = await import('./html-to-markdown.ts');
      const converted = htmlToMarkdown(light);
      if (converted) {
        text = converted.markdown;
        const left = counted(converted.leftOut, 'picture');
        if (converted.leftOut > 0) {
          told = `${left} of what you pasted ${converted.leftOut === 1 ? 'was' : 'were'} left out: add them by the picture button.`;
        }
      }
    }
  }
  if (text.length <= room) return { text: text || null, told };
  return {
    text: null,
    told: `Nothing was pasted: it has ${number(text.length)} characters, and this text takes ${number(Math.max(0, room))} more (${number(max)} altogether).`,
  };
}

/** The empty lines that a block needs around it. */
export function apart(before: string, after: string): { lead: string; trail: string } {
  return {
    lead: before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n',
    trail: after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n',
  };
}

/** More than words in a line gets lines of its own. */
export function fitted(text: string, before: string, after: string): string {
  const isBlock = /\n|^(#{1,6} |- |\d+\. |> |\||```)/.test(text);
  if (!isBlock) return text;
  const { lead, trail } = apart(before, after);
  return lead + text + (after === '' ? '' : trail);
}
