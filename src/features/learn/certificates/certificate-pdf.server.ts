import { longDay } from '#src/shared/dates.ts';
import { runsOf } from '#src/features/store/invoices/invoice-fonts.server.ts';
import { INK, type Pdf, SPARK, startPdf, type Style } from '#src/features/store/invoices/pdf.server.ts';
import { seller } from '#src/features/store/invoices/seller.server.ts';
import type { Certificate } from './certificates.server.ts';

const SOFT = '#445069';
const LINE = '#d8d2c5';
/** Points: US letter, landscape. */
const PAGE = { width: 792, height: 612 };
const FRAME = 30;
const LEFT = 84;
const RIGHT = PAGE.width - LEFT;
const QR_SIZE = 92;

function drawFrame(doc: Pdf['doc']): void {
  doc.save();
  doc.rect(FRAME, FRAME, PAGE.width - 2 * FRAME, PAGE.height - 2 * FRAME).clip();
  for (const [radius, dash] of [
    [150, 7],
    [226, 9],
    [302, 11],
  ] as const) {
    doc
      .circle(RIGHT + 4, FRAME + 30, radius)
      .lineWidth(1.6)
      .lineCap('round')
      .dash(0.1, { space: dash })
      .strokeColor(LINE)
      .stroke();
  }
  doc.undash();
  doc.circle(RIGHT + 4 - 226 * Math.cos(0.32), FRAME + 30 + 226 * Math.sin(0.32), 11).fill(SPARK);
  doc.restore();
  doc
    .rect(FRAME, FRAME, PAGE.width - 2 * FRAME, PAGE.height - 2 * FRAME)
    .lineWidth(1)
    .strokeColor(INK)
    .stroke();
  doc
    .rect(FRAME + 5, FRAME + 5, PAGE.width - 2 * FRAME - 10, PAGE.height - 2 * FRAME - 10)
    .lineWidth(0.5)
    .strokeColor(LINE)
    .stroke();
}

/** Whether the fonts of the PDF have all characters of a name. */
export const canDraw = (name: string): boolean => runsOf(name, 600).isComplete;

/**
 * A certificate as PDF, the same bytes each time. Where no font has a character of a name, the file links to the
 * certificate's page.
 */
export async function certificatePdf(certificate: Certificate): Promise<Uint8Array<ArrayBuffer>> {
  // Only certificates need it.
  const qrcode = await import('qrcode');
  const firm = seller();
  const { number, recipientName, courseTitle, issuedAt, validUntil, verificationUrl } = certificate;
  const pdf = await startPdf({
    layout: 'landscape',
    margin: 0,
    title: `Certificate ${number}`,
    author: firm.legalName,
    subject: courseTitle,
    date: issuedAt,
  });
  const { doc, widthOf, line: write } = pdf;
  /** Wraps text; a word wider than the line is cut. */
  const linesOf = (text: string, width: number, style: Style): string[] => {
    const lines: string[] = [];
    let line = '';
    const fits = (candidate: string) => widthOf(candidate, style) <= width;
    for (const word of text.split(' ')) {
      if (fits(line ? `${line} ${word}` : word)) {
        line = line ? `${line} ${word}` : word;
        continue;
      }
      if (line) lines.push(line);
      line = '';
      for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word)) {
        if (!fits(line + segment)) {
          lines.push(line);
          line = '';
        }
        line += segment;
      }
    }
    return line ? [...lines, line] : lines;
  };
  /** Writes text in the largest size that fits the lines; gives the y below it. */
  const fill = (
    text: string,
    y: number,
    sizes: readonly number[],
    most: number,
    style: Omit<Style, 'size'>,
  ) => {
    const width = RIGHT - LEFT;
    const size =
      sizes.find((one) => linesOf(text, width, { ...style, size: one }).length <= most) ?? sizes.at(-1)!;
    let below = y;
    pdf.part('P', () => {
      for (const line of linesOf(text, width, { ...style, size })) {
        write(line, LEFT, below, { ...style, size });
        below += size * 1.18;
      }
    });
    return below;
  };

  pdf.decorate(() => drawFrame(doc));

  pdf.decorate(() => {
    doc
      .save()
      .translate(LEFT, 78)
      .scale(0.75)
      .path('M25.92 7.31A14 14 0 1 0 34 20H22.5')
      .lineWidth(4.6)
      .lineCap('round')
      .lineJoin('round')
      .strokeColor(INK)
      .stroke();
    doc.circle(32.2, 11.6, 3.9).fill(SPARK).restore();
  });
  write(firm.name, LEFT + 38, 85, { size: 14, weight: 600 });

  pdf.part('H1', () => write('Certificate of completion', LEFT, 160, { size: 15, color: SOFT }));
  const drawn = (text: string, otherwise: string) => (canDraw(text) ? text : otherwise);
  const name = drawn(recipientName, 'The learner named on the page below');
  const y = fill(name, 186, [52, 44, 36, 30, 24], 2, { weight: 600 }) + 16;
  write('has completed every required lesson of the online course', LEFT, y, { size: 13, color: SOFT });
  fill(drawn(courseTitle, 'named on the page below'), y + 24, [27, 23, 19, 16], 2, { weight: 600 });

  const foot = PAGE.height - 168;
  pdf.decorate(() => doc.moveTo(LEFT, foot).lineTo(RIGHT, foot).lineWidth(0.75).strokeColor(LINE).stroke());
  const facts = [
    ['Issued', longDay(issuedAt)],
    ['Valid', validUntil ? `until ${longDay(validUntil)}` : 'without end'],
    ['Certificate number', number],
  ] as const;
  let x = LEFT;
  pdf.part('Table', () => {
    for (const [label, value] of facts) {
      const end = pdf.part('TR', () => {
        pdf.part('TH', () => write(label, x, foot + 16, { size: 9, color: SOFT }), { scope: 'Row' });
        return pdf.part('TD', () => write(value, x, foot + 29, { size: 11.5, weight: 600 }));
      });
      x = Math.max(end, x + 110) + 30;
    }
  });
  write('Anybody can check this certificate at', LEFT, foot + 62, { size: 9, color: SOFT });
  const address = verificationUrl.replace(/^https?:\/\//, '');
  const size = widthOf(address, { size: 10.5 }) > RIGHT - LEFT - QR_SIZE - 24 ? 8 : 10.5;
  pdf.part('Link', () => {
    const addressEnd = write(address, LEFT, foot + 75, { size });
    pdf.link(LEFT, foot + 73, addressEnd - LEFT, size + 6, verificationUrl);
  });

  const { modules } = qrcode.create(verificationUrl, { errorCorrectionLevel: 'M' });
  const cell = QR_SIZE / modules.size;
  const [left, top] = [RIGHT - QR_SIZE, foot + 16];
  const drawCode = () => {
    for (let row = 0; row < modules.size; row += 1) {
      for (let column = 0; column < modules.size; column += 1) {
        if (modules.get(row, column)) doc.rect(left + column * cell, top + row * cell, cell, cell);
      }
    }
    // In one fill: adjacent cells leave no hairlines.
    doc.fill(INK);
  };
  pdf.part('Figure', () => pdf.shapes(drawCode), {
    alt: `QR code of the address ${verificationUrl}`,
    bbox: [left, top, left + QR_SIZE, top + QR_SIZE],
  });
  return pdf.finish();
}
