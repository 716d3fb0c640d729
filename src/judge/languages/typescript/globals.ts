/** What `javascript/sandbox.ts` gives a program. */
export const GLOBALS = `
interface Console {
  log(...values: any[]): void;
  info(...values: any[]): void;
  debug(...values: any[]): void;
  warn(...values: any[]): void;
  error(...values: any[]): void;
  dir(value?: any, options?: { depth?: number }): void;
  clear(): void;
  table(rows?: any, columns?: readonly string[]): void;
  group(...label: any[]): void;
  groupCollapsed(...label: any[]): void;
  groupEnd(): void;
  assert(condition?: boolean, ...message: any[]): void;
  count(label?: string): void;
  countReset(label?: string): void;
  time(label?: string): void;
  timeLog(label?: string, ...values: any[]): void;
  timeEnd(label?: string): void;
  trace(...values: any[]): void;
}
declare var console: Console;
declare function setTimeout<A extends any[]>(callback: (...values: A) => void, delay?: number, ...values: A): number;
declare function setInterval<A extends any[]>(callback: (...values: A) => void, delay?: number, ...values: A): number;
declare function setImmediate<A extends any[]>(callback: (...values: A) => void, ...values: A): number;
declare function clearTimeout(timer?: number): void;
declare function clearInterval(timer?: number): void;
declare function clearImmediate(timer?: number): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T): T;
declare function prompt(question?: string): string | null;
declare function readline(): string | null;
declare var performance: { now(): number; readonly timeOrigin: number; mark(name?: string): void; measure(name?: string): void };
`;
