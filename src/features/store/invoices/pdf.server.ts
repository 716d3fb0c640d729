import type PDFDocument from 'pdfkit';
import { runsOf, type Weight } from './invoice-fonts.server.ts';

/** From a line's upper edge to its baseline, as a share of the size: runs of two fonts stand on one line. */
const ASCENT = 0.96;
export const INK = '#101a2e';
export const SPARK = '#f2a01f';

/** Size in points. */
export type Style = { size?: number; weight?: Weight; color?: string };

type Element = ReturnType<(typeof PDFDocument.prototype)['struct']>;
/** What holds other parts, and text only in a paragraph of its own. */
const GROUPS = ['Document', 'Sect', 'Table', 'TR', 'TH', 'TD'] as const;
type Part = (typeof GROUPS)[number] | 'H1' | 'H2' | 'P' | 'Link' | 'Figure';
/** Of a picture, what it shows and where (left, top, right, bottom); of a heading of a table, what it is the heading of. */
type About = { alt?: string; bbox?: [number, number, number, number]; scope?: 'Row' | 'Column' };

/** A PDF that is being drawn. Places are in points from the upper left corner of a page. */
export interface Pdf {
  doc: typeof PDFDocument.prototype;
  /** Draws what belongs to a part of the document, as it is read out: parts are read in the order in which they are begun. */
  part: <T>(type: Part, draw: () => T, about?: About) => T;
  /** Begins a part that is drawn later, by `inPart`. */
  begin: (type: Part, about?: About) => Element;
  inPart: <T>(part: Element, draw: () => T) => T;
  /** Draws what says nothing: lines, ornaments. */
  decorate: (draw: () => void) => void;
  /** Draws the shapes of a `Figure`. */
  shapes: (draw: () => void) => void;
  /** Lets a place lead to an address. */
  link: (x: number, y: number, width: number, height: number, address: string) => void;
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
 * Begins a PDF on letter paper, which is tagged: whatever is drawn has its part in the document, or is decoration. The same drawing at the same date gives the same bytes.
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
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: title, Author: author, Subject: subject, CreationDate: date, ModDate: date },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((done) => doc.on('end', () => done()));
  let isComplete = true;

  const root = doc.struct('Document');
  doc.addStructure(root);
  const isGroup = new Map<Element, boolean>([[root, true]]);
  const within = [root];
  const current = () => within.at(-1)!;
  const beginPart = (type: Part, { scope, ...about }: About = {}): Element => {
    // Its types lack what a heading of a table is of, and where a picture is.
    const made = doc.struct(type, { ...about, ...(scope && { scope }) } as object);
    isGroup.set(made, (GROUPS as readonly Part[]).includes(type));
    current().add(made);
    return made;
  };
  const inPart = <T>(part: Element, draw: () => T): T => {
    within.push(part);
    try {
      return draw();
    } finally {
      within.pop();
    }
  };
  /** Marks what is drawn as content of the current part. */
  const marked = <T>(draw: () => T): T => {
    const part = isGroup.get(current()) ? beginPart('P') : current();
    const content = doc.markStructureContent(part.dictionary.data.S);
    const drawn = draw();
    doc.endMarkedContent();
    // Once it is whole: it may have gone on on another page.
    part.add(content);
    return drawn;
  };

  const registered = new Set<string>();
  const use = (font: { name: string; data: Buffer }) => {
    if (!registered.has(font.name)) {
      doc.registerFont(font.name, font.data);
      registered.add(font.name);
    }
    doc.font(font.name);
  };
  /** The text in pieces, each in a font that has its characters, with size and color set. */
  const prepare = (text: string, { size = 10, weight = 400, color = INK }: Style) => {
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
    const { runs, baseline } = prepare(text, style);
    return marked(() => {
      let at = x;
      for (const run of runs) {
        use(run.font);
        doc.text(run.text, at, y + baseline, { lineBreak: false, baseline: 'alphabetic' });
        at += doc.widthOfString(run.text);
      }
      return at;
    });
  };
  return {
    doc,
    begin: beginPart,
    inPart,
    part: (type, draw, about) => inPart(beginPart(type, about), draw),
    decorate(draw) {
      doc.markContent('Artifact', { type: 'Layout' });
      draw();
      doc.endMarkedContent();
    },
    shapes: marked,
    link(x, y, width, height, address) {
      // Written as text, not as a name: it takes an object for that.
      const options = { structParent: current(), Contents: new String(address) };
      doc.link(x, y, width, height, address, options as object);
    },
    isComplete: () => isComplete,
    widthOf,
    line,
    lineTo: (text, right, y, style = {}) => void line(text, right - widthOf(text, style), y, style),
    paragraph(text, x, y, width, style = {}) {
      const { runs, baseline } = prepare(text || ' ', style);
      marked(() => {
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
      });
      return doc.y - baseline;
    },
    async finish() {
      root.end();
      doc.end();
      await finished;
      return new Uint8Array(Buffer.concat(chunks));
    },
  };
}
