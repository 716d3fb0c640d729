import type { TestMode } from '../../../protocol.ts';
import { OUTPUT_BYTES } from '../agreement.ts';
import { enter } from './board.ts';
import { type Failure, takeError } from './errors.ts';
import { clearError, isText, itemOf, type Read, readString, release, tupleOf } from './objects.ts';
import { keep, noteAsked, outputEnd } from './output.ts';
import { interpreter, pointers } from './running.ts';
import { encodeUtf8 } from '../../surroundings/utf8.ts';

export interface Answer {
  error?: undefined;
  value: Read | null;
  isText?: boolean;
  isNone?: boolean;
  printedFrom: [out: number, plain: number];
}

let used = false;

export function isUsed(): boolean {
  return used;
}

export function markUsed(): void {
  used = true;
}

function evaluate(code: number, namespace: number): number {
  return interpreter._PyEval_EvalCode(code, namespace, namespace);
}

function answer(namespace: number): Answer | { error: Failure } {
  release(interpreter._PyObject_CallNoArgs(pointers.flush!));
  clearError();
  enter('call');
  noteAsked();
  const printedFrom: Answer['printedFrom'] = [outputEnd('out'), outputEnd('plain')];
  const parts = interpreter._PyObject_CallNoArgs(pointers.expression!);
  if (!parts) return { error: takeError() };
  // A program that is not plain may have made the harness say anything.
  used ||= !isText(itemOf(parts, 0), 'plain');
  const count = interpreter._PyTuple_Size(parts);
  if (count === 1) return { value: null, printedFrom: [0, 0] };
  let value = 0;
  for (let i = 1; i < count; i++) {
    release(value);
    value = evaluate(itemOf(parts, i), namespace);
    if (!value) return { error: takeError() };
  }
  const told = interpreter._PyObject_CallOneArg(pointers.answer!, value);
  release(value);
  if (!told) return { error: takeError() };
  const isNone = told === interpreter.__Py_NoneStruct;
  const result = {
    value: isNone ? null : readString(itemOf(told, 0), OUTPUT_BYTES),
    isText: !isNone && isText(itemOf(told, 1), 'text'),
    isNone,
    printedFrom,
  };
  release(told);
  return result;
}

export function execute(
  code: string,
  given: string,
  mode: TestMode,
  seed: number,
  isRecorded: boolean,
): Answer | { error: Failure } {
  const request = tupleOf([code, given, String(seed)]);
  const ready = request && interpreter._PyObject_CallOneArg(pointers.start!, request);
  release(request);
  if (!ready) return { error: takeError() };
  used = isRecorded || !isText(itemOf(ready, 2), 'plain');
  if (isRecorded) {
    const begun = interpreter._PyObject_CallNoArgs(pointers.record!);
    if (!begun) return { error: takeError() };
    release(begun);
  }
  enter('program');
  const program = itemOf(ready, 0);
  const namespace = itemOf(ready, 1);
  const ran = evaluate(program, namespace);
  release(ran);
  if (!ran) {
    const error = takeError();
    if (error.name !== 'SystemExit') return { error };
    keep('all', encodeUtf8(error.trace));
  }
  return mode === 'call' ? answer(namespace) : { value: null, printedFrom: [0, 0] };
}
