import type { z } from 'zod';
import { ApiError } from './api.ts';
import { readAuth } from './auth-storage.ts';
import { type Contract, fillPath } from './contract.ts';

type Arguments<P> = {
  params?: P extends z.ZodType ? Record<keyof z.input<P>, string | number> : undefined;
  form: FormData;
  /** Share sent, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
};

/**
 * Not `fetch`, which has no upload progress.
 * @throws {ApiError} for refusals; Error without an answer
 */
export function upload<P extends z.ZodType | undefined, O extends z.ZodType>(
  contract: Contract<P, undefined, undefined, O>,
  { params, form, onProgress, signal }: Arguments<P>,
): Promise<z.output<O>> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open(contract.method, fillPath(contract.path, params ?? {}));
    request.setRequestHeader('accept', 'application/json');
    const token = readAuth()?.token;
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress?.(loaded / total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300)
        done(JSON.parse(request.responseText) as z.output<O>);
      else fail(new ApiError(request.status, request.statusText, request.responseText));
    };
    request.onerror = () => fail(new Error('The connection failed.'));
    request.onabort = () => fail(new Error('The upload was stopped.'));
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
