/** Putting what a sandbox found into the text that is compared and shown. Runs in the child, outside the isolate. */

// The marks of `sandbox/look.ts`.
const BREAK = '\uFDD0';
const CELL = '\uFDD3';
const PRE = /\uFDD1([^\uFDD2]*)\uFDD2/g;

const BLOCK_TAG =
  /\s*(<\/?(?:address|article|aside|blockquote|body|br|caption|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|legend|li|link|main|menu|meta|nav|ol|optgroup|option|p|pre|script|search|section|select|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)\b[^<>]{0,2000}>)\s*/gi;

export function unpack(text: string): string[] {
  const fields: string[] = [];
  let at = 0;
  while (at < text.length) {
    const colon = text.indexOf(':', at);
    const length = Number(text.slice(at, colon));
    if (colon < 0 || !Number.isSafeInteger(length) || length < 0 || colon + 1 + length > text.length) {
      throw new Error('A sandbox gave a malformed result.');
    }
    fields.push(text.slice(colon + 1, colon + 1 + length));
    at = colon + 1 + length;
  }
  return fields;
}

/** White space collapsed, one line for each block, no empty lines. */
export function readableText(raw: string): string {
  const kept: string[] = [];
  const withoutPre = raw.replace(PRE, (_all, text: string) => {
    kept.push(text.replace(/^\n/, ''));
    return `\uFDD1${kept.length - 1}\uFDD2`;
  });
  return withoutPre
    .split(BREAK)
    .map((line) =>
      line
        .replaceAll(CELL, ' ')
        .replace(/[ \t\r\n\f]+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n')
    .replace(/\uFDD1(\d+)\uFDD2/g, (_all, index: string) => kept[Number(index)] ?? '');
}

/** White space collapsed, none beside the tags of blocks. */
export function readableHtml(raw: string): string {
  return raw
    .replace(/[ \t\r\n\f]+/g, ' ')
    .replace(BLOCK_TAG, '$1')
    .trim();
}
