import { AsyncLocalStorage } from 'node:async_hooks';

export type RequestFacts = {
  requestId: string;
  code?: string;
};

export const requestFacts = new AsyncLocalStorage<RequestFacts>();
