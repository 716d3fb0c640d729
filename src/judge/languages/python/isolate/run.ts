import type { TestMode } from '../../../protocol.ts';
import { type GivenTest, OUTPUT_BYTES, type Report } from '../agreement.ts';
import { enter, phase, startBoard } from './board.ts';
import { forgetFiles } from './bounds.ts';
import { realTime, resetClock } from './clock.ts';
import { startInput } from './devices.ts';
import { takeBallast, takeError } from './errors.ts';
import { type Answer, execute, isUsed, markUsed } from './execute.ts';
import { emptyFolder, OWN_FOLDERS } from './folders.ts';
import { release } from './objects.ts';
import { isOver, keep, outputEnd, printed, record, startOutput, startRecord } from './output.ts';
import { keyRandom } from '../../surroundings/random.ts';
import { startAfresh } from './restore.ts';
import { interpreter, pointers } from './running.ts';
import { encodeUtf8 } from '../../surroundings/utf8.ts';

function prepare(): void {
  startAfresh();
  forgetFiles();
  for (const folder of OWN_FOLDERS) {
    interpreter.FS.mkdirTree(folder);
    emptyFolder(interpreter.FS, folder);
  }
}

function observed(): Report {
  return { phase: phase(), over: isOver(), output: printed('all') };
}

function reportOf({ value, isText, isNone, printedFrom }: Answer, mode: TestMode): Report {
  // Silence is the repr of nothing; what was printed says more.
  const nothing = isNone ? 'None' : '';
  const text = value ? value.text : printed('out', printedFrom[0]) || nothing;
  return {
    ...observed(),
    over: isOver() || (value?.bytes ?? 0) > OUTPUT_BYTES,
    value: text,
    ...(mode === 'call' ? { returned: !value ? 'nothing' : isText ? 'text' : 'value' } : {}),
    ...(value ? {} : { withoutPrompts: printed('plain', printedFrom[1]) || nothing }),
  };
}

function inputOf(given: string, mode: TestMode): Uint8Array<ArrayBuffer> {
  if (mode !== 'stdin') return new Uint8Array(0);
  return encodeUtf8(given.length === 0 || given.endsWith('\n') ? given : `${given}\n`);
}

function runTest(
  number: number,
  code: string,
  [given, mode, key, seed]: GivenTest,
  isRecorded: boolean,
): Report {
  startOutput();
  startBoard(number);
  resetClock();
  keyRandom(key);
  startInput(inputOf(given, mode));
  try {
    if (isUsed()) prepare();
    markUsed();
    takeBallast();
    const answer = execute(code, mode === 'call' ? given : '', mode, seed, isRecorded);
    const flushed = interpreter._PyObject_CallNoArgs(answer.error ? pointers.flush! : pointers.finish!);
    release(flushed);
    const late = flushed ? undefined : takeError();
    const problem = answer.error ?? late;
    // What was under way has not been brought to its end, and would print into the next test.
    if (problem) markUsed();
    // An interrupt from outside is no error of the program's own.
    if (problem?.trace && problem.name !== 'KeyboardInterrupt') keep('all', encodeUtf8(problem.trace));
    if (!answer.error) enter('end');
    if (answer.error || problem) return { ...observed(), error: problem };
    return reportOf(answer, mode);
  } catch (crash) {
    // The interpreter itself ended: a process exit, a trap, or the JavaScript stack is full.
    const { name, message } = (crash ?? {}) as { name?: unknown; message?: unknown };
    return { ...observed(), crash: `${name}: ${message}`.slice(0, 200) };
  }
}

/** JSON of the first test, and of further ones while each gives a short value within `sliceMs`. */
export function run(code: string, tests: string, sliceMs: number, isRecorded = false): string {
  const began = realTime();
  const seen: Report[] = [];
  let told = 0;
  for (const test of JSON.parse(tests) as GivenTest[]) {
    startRecord();
    const report = runTest(seen.length, code, test, isRecorded);
    seen.push(isRecorded ? { ...report, trace: record() } : report);
    told += outputEnd('all') + (report.value ?? '').length;
    const isLast = report.value === undefined || report.over || told >= OUTPUT_BYTES;
    if (isLast || realTime() - began >= sliceMs) break;
  }
  return JSON.stringify(seen);
}
