import type { Captured } from '../agreement.ts';
import { sealFiles } from './bounds.ts';
import { noted } from '../../surroundings/notes.ts';
import { emptyOutput, printed } from './output.ts';
import { interpreter, pointers } from './running.ts';

// What the build does in an interpreter that was started without a snapshot.

function pythonRun(source: string): number {
  const code = interpreter.stringToNewUTF8(source);
  const result = interpreter._PyRun_SimpleString(code);
  interpreter._free(code);
  return result;
}

export function makeFile(source: string, path: string): ArrayBuffer {
  if (pythonRun(source) !== 0) throw new Error(`the script failed: ${printed('all')}`);
  return interpreter.FS.readFile(path).slice().buffer;
}

export function finishCold(source: string): void {
  const text = `exec(compile(${JSON.stringify(source)}, '<harness>', 'exec'), (scope := {'__name__': 'harness'}))
functions = scope['_build']()
functions['seal']()
import sys, os
for function in functions.values(): os.write(1, (function.__name__ + ' ' + str(id(function)) + '\\n').encode())
sys.modules['__main__'].held = functions
`;
  emptyOutput('out');
  if (pythonRun(text) !== 0) throw new Error(`the harness did not start: ${printed('all')} ${noted()}`);
  for (const line of printed('out').split('\n')) {
    const [name = '', address] = line.split(' ');
    if (/^[a-z]+$/.test(name) && Number(address) > 0) {
      pointers[name] = Number(address);
      interpreter._Py_IncRef(pointers[name]);
    }
  }
  // From here on nothing keeps the functions alive but the references that were taken just now.
  pythonRun('globals().clear()');
  sealFiles();
}

export function capture(): Captured {
  return {
    memory: interpreter.HEAPU8.slice().buffer,
    stack: interpreter.stackSave(),
    functions: { ...pointers },
  };
}

export function untouched(): ArrayBuffer {
  return interpreter.HEAPU8.slice().buffer;
}
