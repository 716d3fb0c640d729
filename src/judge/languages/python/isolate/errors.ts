import { MEMORY_BYTES, type RawError } from '../agreement.ts';
import { clearError, itemOf, readString, release } from './objects.ts';
import { interpreter, pointers } from './running.ts';

const BALLAST_BYTES = 393_216;

/** For reporting an error when memory is used up; 0 for none. */
let ballast = 0;

export interface Failure extends RawError {
  trace: string;
}

export function takeBallast(): void {
  if (!ballast) ballast = interpreter._malloc(BALLAST_BYTES);
}

export function forgetBallast(): void {
  ballast = 0;
}

function withoutPlace(name: string, message: string): Failure {
  return { name, message, line: '', column: '', trace: '' };
}

export function takeError(): Failure {
  const error = interpreter._PyErr_GetRaisedException();
  if (ballast) {
    interpreter._free(ballast);
    ballast = 0;
  }
  if (!error) return withoutPlace('SystemError', '');
  const described = interpreter._PyObject_CallOneArg(pointers.failure!, error);
  release(error);
  if (!described) {
    clearError();
    // Describing an error needs little memory: a failure means that it is used up, or the harness broken.
    const name = interpreter.HEAPU8.length > 0.9 * MEMORY_BYTES ? 'MemoryError' : 'SystemError';
    return withoutPlace(name, 'the error could not be described');
  }
  const part = (index: number, limit: number) => readString(itemOf(described, index), limit)?.text ?? '';
  const result = {
    name: part(0, 200),
    message: part(1, 2_000),
    line: part(2, 20),
    column: part(3, 20),
    trace: part(4, 8_000),
  };
  release(described);
  return result;
}
