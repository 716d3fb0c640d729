import { PDFParse } from 'pdf-parse';

/** The text of a PDF, line by line. */
export async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const parser = new PDFParse({ data: bytes.slice() });
  const { text } = await parser.getText();
  await parser.destroy();
  return text;
}

/** Of a part of a PDF, its kind with what is said of it, and what is drawn or stands in it. */
export type PdfPart = { kind: string; alt?: string; text?: string; parts?: PdfPart[] };

type Node = { role: string; alt?: string; children: (Node | { type: string; id: string })[] };
interface Drawn {
  numPages: number;
  getMarkInfo(): Promise<{ Marked: boolean } | null>;
  getMetadata(): Promise<{ info: { Title?: string; Language?: string } }>;
  getViewerPreferences(): Promise<{ DisplayDocTitle?: boolean } | null>;
  getPage(page: number): Promise<{
    getStructTree(): Promise<Node | null>;
    getTextContent(options: {
      includeMarkedContent: true;
    }): Promise<{ items: { type?: string; id?: string; tag?: string; str?: string }[] }>;
  }>;
}

/** How a PDF is read out: what it says of itself, its parts in their order, and what of its text is in none. */
export async function readOutPdf(bytes: Uint8Array) {
  const parser = new PDFParse({ data: bytes.slice() });
  const pdf = await (parser as unknown as { load(): Promise<Drawn> }).load();
  const parts: PdfPart[] = [];
  const outside: string[] = [];
  for (let at = 1; at <= pdf.numPages; at += 1) {
    const page = await pdf.getPage(at);
    const { items } = await page.getTextContent({ includeMarkedContent: true });
    const texts = new Map<string, string>();
    const open: (string | undefined)[] = [];
    for (const item of items) {
      const id = open.findLast((one) => one !== undefined);
      if (item.type?.startsWith('beginMarkedContent')) open.push(item.id);
      else if (item.type === 'endMarkedContent') open.pop();
      else if (id === undefined) outside.push(item.str!);
      else texts.set(id, (texts.get(id) ?? '') + item.str);
    }
    const part = ({ role, alt, children }: Node): PdfPart => {
      const inside = children.flatMap((child) => ('role' in child ? [part(child)] : []));
      const text = children
        .flatMap((child) => ('role' in child ? [] : (texts.get(child.id) ?? [])))
        .join(' ');
      return {
        kind: role,
        ...(alt && { alt }),
        ...(text && { text }),
        ...(inside.length > 0 && { parts: inside }),
      };
    };
    const tree = await page.getStructTree();
    parts.push(...(tree ? (part(tree).parts ?? []) : []));
  }
  const { info } = await pdf.getMetadata();
  const read = {
    isTagged: (await pdf.getMarkInfo())?.Marked === true,
    showsTitle: (await pdf.getViewerPreferences())?.DisplayDocTitle === true,
    title: info.Title,
    language: info.Language,
    parts,
    outside: outside.filter((text) => text.trim() !== ''),
  };
  await parser.destroy();
  return read;
}

/** The parts of a PDF as lines, each with the kinds that it is in. */
export function linesOfParts(parts: readonly PdfPart[], above = ''): string[] {
  return parts.flatMap(({ kind, alt, text, parts: inside }) => [
    ...(text || alt ? [`${above}${kind}: ${text ?? alt}`] : []),
    ...linesOfParts(inside ?? [], `${above}${kind} > `),
  ]);
}
