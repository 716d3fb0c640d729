import { PDFParse } from 'pdf-parse';

/** The text of a PDF, line by line. */
export async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const parser = new PDFParse({ data: bytes.slice() });
  const { text } = await parser.getText();
  await parser.destroy();
  return text;
}
