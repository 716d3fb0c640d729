import type PDFDocument from 'pdfkit';
import { runsOf, type Weight } from './invoice-fonts.server.ts';

/** Baseline below the upper edge, as a share of the size: two fonts share a line. */
const ASCENT = 0.96;
export const INK = '#101a2e';
export const SPARK = '#f2a01f';

export type Style = { size?: number; weight?: Weight; color?: string };

type Element = ReturnType<(typeof PDFDocument.prototype)['struct']>;
/** Groups hold other parts, and text only in a paragraph. */
const GROUPS = ['Document', 'Sect', 'Table', 'TR', 'TH', 'TD'] as const;
type Part = (typeof GROUPS)[number] | 'H1' | 'H2' | 'P' | 'Link' | 'Figure';
/** A figure's text and box (left, top, right, bottom); a table heading's scope. */
type About = { alt?: string; bbox?: [number, number, number, number]; scope?: 'Row' | 'Column' };

/** Coordinates are points from the page's upper left corner. */
export interface Pdf {
  doc: typeof PDFDocument.prototype;
  part: <T>(type: Part, draw: () => T, about?: About) => T;
  begin: (type: Part, about?: About) => Element;
  inPart: <T>(part: Element, draw: () => T) => T;
  decorate: (draw: () => void) => void;
  shapes: (draw: () => void) => void;
  link: (x: number, y: number, width: number, height: number, address: string) => void;
  isComplete: () => boolean;
  widthOf: (text: string, style?: Style) => number;
  line: (text: string, x: number, y: number, style?: Style) => number;
  lineTo: (text: string, right: number, y: number, style?: Style) => void;
  paragraph: (text: string, x: number, y: number, width: number, style?: Style) => number;
  finish: () => Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Begins a tagged PDF on letter paper: all that is drawn has its part, or is decoration. The same drawing gives the
 * same bytes.
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
    // pdfkit's types lack `scope` and `bbox`.
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
  const marked = <T>(draw: () => T): T => {
    const part = isGroup.get(current()) ? beginPart('P') : current();
    const content = doc.markStructureContent(part.dictionary.data.S);
    const drawn = draw();
    doc.endMarkedContent();
    // After the draw, which may continue on another page.
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
      // A string object: plain text would become a name.
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
