import { act, captureOwnerStack, Component, createElement, Fragment, type ReactNode } from 'react';
import * as React from 'react';
import * as JsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { isTruncated, output, startOutput } from '../../javascript/console.ts';
import {
  advanceClock,
  installStacks,
  startClock,
  startStacks,
  waitedMs,
} from '../../javascript/intrinsics.ts';
import { takeTimer } from '../../javascript/timers.ts';
import type { Query, Step } from '../query.ts';
import { isMissed, partsOf } from './actions.ts';
import { reported } from './engine.ts';
import { harden } from './hardening.ts';
import { packed, parseJson, textOnly, uncurried } from './intrinsics.ts';
import { type Finding, look } from './look.ts';

/** A program that always starts another timer is left waiting. */
const TIMERS_PER_STEP = 100;
const LONGEST_MESSAGE = 4_000;

interface Parts {
  exported: unknown;
  app: unknown;
  capitalised: unknown[];
  named: unknown;
  element: ((component: unknown) => ReactNode) | null;
}

type Factory = (
  require: (name: string) => unknown,
  exports: Record<string, unknown>,
  module: { exports: Record<string, unknown> },
  create: typeof createElement,
  fragment: typeof Fragment,
) => Parts;

interface Plan {
  name: string | null;
  steps: Step[];
  query: Query;
  outputLimit: number;
  epochMs: number;
  file: string;
  lines: number;
}

interface Failure {
  kind: 'error' | 'missed' | 'no-component';
  name: string;
  message: string;
  stack: string;
}

const slice = uncurried(String.prototype.slice);
const shorten = (text: string): string => slice(text, 0, LONGEST_MESSAGE);

let container: Element;
let root: Root;
let failure: Failure | null = null;
let finding: Finding | null = null;
let isOver = false;
let renderedByProgram: ReactNode | undefined;

/** Runs getters of the program: inside its time limit. */
function failureOf(thrown: unknown, componentStack = ''): Failure {
  if (typeof thrown !== 'object' || thrown === null) {
    return {
      kind: 'error',
      name: 'Error',
      message: shorten(textOnly(thrown) || `${String(thrown)} was thrown`),
      stack: '',
    };
  }
  const { name, message, stack } = thrown as Record<string, unknown>;
  return {
    kind: 'error',
    name: shorten(textOnly(name) || 'Error'),
    message: shorten(textOnly(message)),
    stack: shorten(`${textOnly(stack)}\n${componentStack}`),
  };
}

function fail(thrown: unknown, componentStack = ''): void {
  if (failure) return;
  try {
    failure = failureOf(thrown, componentStack);
  } catch {
    failure = {
      kind: 'error',
      name: 'Error',
      message: 'Something that cannot be shown was thrown.',
      stack: '',
    };
  }
}

/** Without it an error would unmount all and lose its place. */
class Catcher extends Component<{ children?: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? null : this.props.children;
  }
}

const rootOfProgram = (): Root => ({
  render(element: ReactNode) {
    renderedByProgram = element;
  },
  unmount() {},
});

const MODULES: Record<string, unknown> = {
  react: React,
  'react/jsx-runtime': JsxRuntime,
  'react-dom': ReactDOM,
  'react-dom/client': { createRoot: rootOfProgram, hydrateRoot: rootOfProgram },
};

function requireModule(name: string): unknown {
  if (typeof name === 'string' && Object.hasOwn(MODULES, name)) return MODULES[name];
  throw new Error(`Cannot import "${name}": a program here can import from "react" and "react-dom" only.`);
}

const isComponent = (value: unknown): boolean =>
  typeof value === 'function' || (typeof value === 'object' && value !== null && '$$typeof' in value);

function mainComponent(parts: Parts): unknown {
  if (isComponent(parts.exported)) return parts.exported;
  if (isComponent(parts.app)) return parts.app;
  return parts.capitalised.findLast(isComponent);
}

const NO_COMPONENT =
  'There is no component: write a function with a capital letter that returns JSX, and export it as default.';

function elementOf(parts: Parts, name: string | null): ReactNode | undefined {
  const main = mainComponent(parts);
  if (parts.element === null || name === null) {
    if (parts.element) return parts.element(undefined);
    if (main) return createElement(main as never);
    return renderedByProgram;
  }
  const component = parts.named ?? main;
  return component === undefined ? undefined : parts.element(component);
}

async function settle(): Promise<void> {
  for (let i = 0; i < TIMERS_PER_STEP && !failure; i++) {
    const timer = takeTimer(waitedMs());
    if (typeof timer !== 'function') return;
    await within(timer);
  }
}

async function within(task: () => void): Promise<void> {
  try {
    await act(async () => task());
  } catch (error) {
    fail(error);
  }
  if (reported.length > 0) fail(reported[0]);
}

async function take(step: Step): Promise<void> {
  if (step.act === 'wait') {
    const until = waitedMs() + step.ms;
    for (let timer = takeTimer(until); typeof timer === 'function' && !failure; timer = takeTimer(until))
      await within(timer);
    if (until > waitedMs()) advanceClock(until - waitedMs());
    return;
  }
  const parts = partsOf(step, container);
  if (isMissed(parts)) {
    failure = { kind: 'missed', name: 'NoMatch', message: parts.missed, stack: '' };
    return;
  }
  for (const part of parts) {
    if (failure) return;
    await within(part);
  }
}

async function run(factory: Factory, plan: Plan): Promise<void> {
  const module = { exports: {} };
  const parts = factory(requireModule, module.exports, module, createElement, Fragment);
  const element = elementOf(parts, plan.name);
  if (element === undefined) {
    const message = plan.name
      ? `The test renders <${plan.name} />, and the program has no component of that name. ${NO_COMPONENT}`
      : NO_COMPONENT;
    failure = { kind: 'no-component', name: 'NoComponent', message, stack: '' };
    return;
  }
  root = createRoot(container, {
    // What a boundary of the program catches is not a failure: what it shows is what counts.
    onCaughtError(error, { componentStack, errorBoundary }) {
      if (errorBoundary instanceof Catcher) {
        // Where the element was written comes first: errors about children happen inside React.
        fail(error, `${textOnly(captureOwnerStack())}\n${textOnly(componentStack)}`);
      }
    },
    onRecoverableError() {},
  });
  await within(() => root.render(createElement(Catcher, null, element)));
  await settle();
  for (const step of plan.steps) {
    if (failure) return;
    await take(step);
    await settle();
  }
  if (!failure) finding = lookAtResult(plan.query);
}

function lookAtResult({ selector, read }: Query): Finding {
  if (selector !== null) return look(document.body, selector, read, container);
  if (read.what !== 'attribute' && read.what !== 'style') return look(container, null, read);
  const first = container.firstElementChild;
  return first ? look(first, null, read) : { found: 'nothing', why: 'element' };
}

Object.assign(globalThis, { React });
installStacks();

export function startProgram(factory: Factory, planJson: string): void {
  harden();
  begin(factory, planJson);
}

/** For the snapshot, which must have every global that the engine expects. */
export function begin(factory: Factory, planJson: string): void {
  const plan = parseJson(planJson) as Plan;
  startOutput(plan.outputLimit);
  startClock(plan.epochMs);
  startStacks(plan.file, plan.lines);
  failure = null;
  finding = null;
  isOver = false;
  renderedByProgram = undefined;
  document.body.innerHTML = '';
  container = document.createElement('lesson-root');
  container.id = 'root';
  document.body.append(container);
  void (async () => {
    try {
      await run(factory, plan);
    } catch (error) {
      fail(error);
    }
    isOver = true;
  })();
}

export function end(): void {
  act(() => root.unmount());
  document.body.innerHTML = '';
}

export function collectResult(): string {
  const nothing = { kind: 'none', name: '', message: '', stack: '' };
  const failed = failure ?? nothing;
  let value = '';
  if (finding?.found === 'value') value = finding.value;
  else if (finding?.found === 'nothing') value = finding.why;
  else if (finding?.found === 'bad-selector') value = finding.message;
  return packed([
    isOver ? 'over' : 'running',
    failed.kind,
    failed.name,
    failed.message,
    failed.stack,
    output(),
    isTruncated() ? 'more' : '',
    finding ? finding.found : 'none',
    value,
  ]);
}
