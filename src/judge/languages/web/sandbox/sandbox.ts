import './engine.ts';
import './scope.ts';
import { beginPage, lookAtPage, openPage, pageText } from './pages.ts';
import { begin, collectResult, end, startProgram } from './react.ts';

/** Taken off the global scope before any program runs. */
export interface SandboxEntry {
  openPage: typeof openPage;
  lookAtPage: typeof lookAtPage;
  pageText: typeof pageText;
  startProgram: typeof startProgram;
  collectResult: typeof collectResult;
}

export interface WarmUp {
  beginPage: typeof beginPage;
  begin: typeof begin;
  end: typeof end;
}

Object.defineProperty(globalThis, '__sandbox', {
  value: {
    openPage,
    lookAtPage,
    pageText,
    startProgram,
    collectResult,
    beginPage,
    begin,
    end,
  } satisfies SandboxEntry & WarmUp,
  configurable: true,
});
