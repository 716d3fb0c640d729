export function decodeUtf8(bytes: Uint8Array): string {
  const parts: string[] = [];
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i++]!;
    let code = lead;
    let more = 0;
    if (lead >= 0xf0) [code, more] = [lead & 7, 3];
    else if (lead >= 0xe0) [code, more] = [lead & 15, 2];
    else if (lead >= 0xc0) [code, more] = [lead & 31, 1];
    else if (lead >= 0x80) code = 0xfffd;
    // A character cut in two by the end of the buffer is left out.
    if (i + more > bytes.length) break;
    for (; more > 0 && (bytes[i]! & 0xc0) === 0x80; more--) code = (code << 6) | (bytes[i++]! & 63);
    text += more > 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
    if (text.length > 4096) {
      parts.push(text);
      text = '';
    }
  }
  return parts.join('') + text;
}

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 3);
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[end++] = code;
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      const next = text.charCodeAt(i + 1);
      if (code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
        i++;
      } else code = 0xfffd;
    }
    if (code < 0x800) bytes[end++] = 0xc0 | (code >> 6);
    else {
      if (code < 0x10000) bytes[end++] = 0xe0 | (code >> 12);
      else {
        bytes[end++] = 0xf0 | (code >> 18);
        bytes[end++] = 0x80 | ((code >> 12) & 63);
      }
      bytes[end++] = 0x80 | ((code >> 6) & 63);
    }
    bytes[end++] = 0x80 | (code & 63);
  }
  return bytes.subarray(0, end);
}
