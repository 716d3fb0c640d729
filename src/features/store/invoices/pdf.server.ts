import type PDFDocument from 'pdfkit';
import { runsOf, type Weight } from './invoice-fonts.server.ts';

/** From a line's upper edge to its baseline, as a share of the size: runs of two fonts stand on one line. */
const ASCENT = 0.96;
export const INK = '#101a2e';
export const SPARK = '#f2a01f';

/** Size in points. */
export type Style = { size?: number; weight?: Weight; color?: string };

/** A PDF that is being drawn. Places are in points from the upper left corner of a page. */
export interface Pdf {
  doc: typeof PDFDocument.prototype;
  /** Whether every character so far was one that a font of the site has. */
  isComplete: () => boolean;
  widthOf: (text: string, style?: Style) => number;
  /** Writes one line; gives the x behind it. */
  line: (text: string, x: number, y: number, style?: Style) => number;
  /** Writes one line that ends at an x. */
  lineTo: (text: string, right: number, y: number, style?: Style) => void;
  /** Writes text that wraps within a width; gives the y below it. */
  paragraph: (text: string, x: number, y: number, width: number, style?: Style) => number;
  /** The file's bytes. */
  finish: () => Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Begins a PDF on letter paper. The same drawing at the same date gives the same bytes.
 *
 * @param sheet `margin` in points
 */
export async function startPdf(sheet: {
  layout: 'portrait' | 'landscape';
  margin: number;
  title: string;
  author: string;
  subject: string;
  date: Date;
}): Promise<Pdf> {
  // Loaded with the first file, not with the site.
  const { default: Document } = await import('pdfkit');
  const { layout, margin, title, author, subject, date } = sheet;
  const doc = new Document({
    size: 'LETTER',
    layout,
    margin,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: title, Author: author, Subject: subject, CreationDate: date, ModDate: date },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((done) => doc.on('end', () => done()));
  let isComplete = true;

  const registered = new Set<string>();
  const use = (font: { name: string; data: Buffer }) => {
    if (!registered.has(font.name)) {
      doc.registerFont(font.name, font.data);
      registered.add(font.name);
    }
    doc.font(font.name);
  };
  /** The text in pieces, each in a font that has its characters, with size and color set. */
  const begin = (text: string, { size = 10, weight = 400, color = INK }: Style) => {
    const split = runsOf(text, weight);
    isComplete &&= split.isComplete;
    doc.fontSize(size).fillColor(color);
    return { runs: split.runs, baseline: size * ASCENT };
  };
  const widthOf = (text: string, { size = 10, weight = 400 }: Style = {}): number => {
    doc.fontSize(size);
    return runsOf(text, weight).runs.reduce((width, run) => {
      use(run.font);
      return width + doc.widthOfString(run.text);
    }, 0);
  };
  const line = (text: string, x: number, y: number, style: Style = {}): number => {
    const { runs, baseline } = begin(text, style);
    let at = x;
    for (const run of runs) {
      use(run.font);
      doc.text(run.text, at, y + baseline, { lineBreak: false, baseline: 'alphabetic' });
      at += doc.widthOfString(run.text);
    }
    return at;
  };
  return {
    doc,
    isComplete: () => isComplete,
    widthOf,
    line,
    lineTo: (text, right, y, style = {}) => void line(text, right - widthOf(text, style), y, style),
    paragraph(text, x, y, width, style = {}) {
      const { runs, baseline } = begin(text || ' ', style);
      runs.forEach((run, index) => {
        use(run.font);
        const options = {
          width,
          lineGap: 2,
          baseline: 'alphabetic' as const,
          continued: index < runs.length - 1,
        };
        if (index === 0) doc.text(run.text, x, y + baseline, options);
        else doc.text(run.text, options);
      });
      return doc.y - baseline;
    },
    async finish() {
      doc.end();
      await finished;
      return new Uint8Array(Buffer.concat(chunks));
    },
  };
}
