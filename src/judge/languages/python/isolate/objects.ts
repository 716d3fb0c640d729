import { interpreter } from './running.ts';
import { decodeUtf8, encodeUtf8 } from '../../surroundings/utf8.ts';

export function release(object: number): void {
  if (object) interpreter._Py_DecRef(object);
}

export function clearError(): void {
  interpreter._PyErr_Clear();
}

function pythonString(text: string): number {
  const bytes = encodeUtf8(text);
  const buffer = interpreter._malloc(bytes.length + 1);
  if (!buffer) return 0;
  interpreter.HEAPU8.set(bytes, buffer);
  const object = interpreter._PyUnicode_FromStringAndSize(buffer, bytes.length);
  interpreter._free(buffer);
  return object;
}

export interface Read {
  text: string;
  bytes: number;
}

/** At most `limit` bytes; null where it is no string. */
export function readString(object: number, limit: number): Read | null {
  const size = interpreter._malloc(4);
  const start = size && interpreter._PyUnicode_AsUTF8AndSize(object, size);
  if (!start) {
    clearError();
    return null;
  }
  const bytes = interpreter.HEAP32[size >> 2]!;
  interpreter._free(size);
  return { text: decodeUtf8(interpreter.HEAPU8.subarray(start, start + Math.min(bytes, limit))), bytes };
}

export function tupleOf(texts: string[]): number {
  const tuple = interpreter._PyTuple_New(texts.length);
  for (let i = 0; tuple && i < texts.length; i++)
    interpreter._PyTuple_SetItem(tuple, i, pythonString(texts[i]!));
  return tuple;
}

export function itemOf(tuple: number, index: number): number {
  return interpreter._PyTuple_GetItem(tuple, index);
}

export function isText(object: number, text: string): boolean {
  return readString(object, 10)?.text === text;
}
