import { AsyncLocalStorage } from 'node:async_hooks';

/** What everything that works on a request may want to know, and tell, of it. */
export type RequestFacts = {
  requestId: string;
  /** Code of the refusal that it was answered with. */
  code?: string;
};

/** Those of the request that is being rendered. */
export const requestFacts = new AsyncLocalStorage<RequestFacts>();
