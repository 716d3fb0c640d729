import { describe, expect, it } from 'vitest';
import { certificatePdf } from './certificate-pdf.server.ts';
import { linesOfParts, readOutPdf } from '../../../../tests/support/pdf.ts';

describe('the file of a certificate', () => {
  it('is read out part by part, with its title, its language and what its picture shows', async () => {
    const verificationUrl = 'https://example.com/certificates/C-2026-0001';
    const file = await certificatePdf({
      number: 'C-2026-0001',
      recipientName: 'Ada Lovelace',
      courseTitle: 'Sums',
      issuedAt: new Date('2026-05-01T10:00:00Z'),
      validUntil: null,
      verificationUrl,
    } as Parameters<typeof certificatePdf>[0]);
    const { parts, ...read } = await readOutPdf(file);
    expect(read).toEqual({
      isTagged: true,
      showsTitle: true,
      title: 'Certificate C-2026-0001',
      language: 'en-US',
      outside: [],
    });
    expect(linesOfParts(parts).slice(1)).toEqual([
      'Document > H1: Certificate of completion',
      'Document > P: Ada Lovelace',
      'Document > P: has completed every required lesson of the online course',
      'Document > P: Sums',
      'Document > Table > TR > TH > P: Issued',
      'Document > Table > TR > TD > P: May 1, 2026',
      'Document > Table > TR > TH > P: Valid',
      'Document > Table > TR > TD > P: without end',
      'Document > Table > TR > TH > P: Certificate number',
      'Document > Table > TR > TD > P: C-2026-0001',
      'Document > P: Anybody can check this certificate at',
      'Document > Link: example.com/certificates/C-2026-0001',
      `Document > Figure: QR code of the address ${verificationUrl}`,
    ]);
  });
});
