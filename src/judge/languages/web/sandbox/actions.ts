import type { Step } from '../query.ts';
import { getterOf, textOnly, uncurried } from './intrinsics.ts';
import { matches, rawText } from './look.ts';

export interface Missed {
  missed: string;
}

const dispatch = uncurried(EventTarget.prototype.dispatchEvent);
const clickOn = uncurried(HTMLElement.prototype.click);
const focusOn = uncurried(HTMLElement.prototype.focus);
const blurOff = uncurried(HTMLElement.prototype.blur);
const requestSubmit = uncurried(HTMLFormElement.prototype.requestSubmit);
const closest = uncurried(Element.prototype.closest);
const localNameOf = getterOf<string>(Element.prototype, 'localName');
const disabledOf = getterOf<boolean>(HTMLInputElement.prototype, 'disabled');
const labelOf = uncurried(Element.prototype.getAttribute);
const optionsOf = getterOf<HTMLOptionsCollection>(HTMLSelectElement.prototype, 'options');
const optionAt = uncurried(HTMLCollection.prototype.item);
const optionCount = getterOf<number>(HTMLCollection.prototype, 'length');
const optionValueOf = getterOf<string>(HTMLOptionElement.prototype, 'value');
const optionTextOf = getterOf<string>(HTMLOptionElement.prototype, 'text');
const { Event, MouseEvent, KeyboardEvent, InputEvent, FocusEvent } = globalThis;

function setterOf(prototype: object, name: string): (self: object, value: string) => void {
  return uncurried(
    Object.getOwnPropertyDescriptor(prototype, name)!.set as (this: object, value: string) => void,
  );
}
// React puts an own `value` on the elements it controls; these write past it, as a keyboard does.
const VALUES: Record<string, { get: (self: object) => string; set: (self: object, value: string) => void }> =
  {
    input: {
      get: getterOf(HTMLInputElement.prototype, 'value'),
      set: setterOf(HTMLInputElement.prototype, 'value'),
    },
    textarea: {
      get: getterOf(HTMLTextAreaElement.prototype, 'value'),
      set: setterOf(HTMLTextAreaElement.prototype, 'value'),
    },
    select: {
      get: getterOf(HTMLSelectElement.prototype, 'value'),
      set: setterOf(HTMLSelectElement.prototype, 'value'),
    },
  };

const SINGLE_KEYS = 200;

const spaced = (text: string): string => text.replace(/[\s\uFDD0-\uFDD3]+/g, ' ').trim();

function find(root: Element, container: Element, selector: string, text: string | null): Element | Missed {
  const found = matches(root, selector, container);
  if (typeof found === 'string') return { missed: `The test's selector "${selector}" is not valid.` };
  for (const element of found) {
    if (text === null || spaced(rawText(element)) === text || labelOf(element, 'aria-label') === text)
      return element;
  }
  return { missed: `There is no ${selector}${text === null ? '' : ` with the text "${text}"`}` };
}

export const isMissed = (target: object): target is Missed => 'missed' in target;

function mouse(element: Element, names: readonly string[]): void {
  for (const name of names) {
    dispatch(
      element,
      new MouseEvent(name, { bubbles: !/enter|leave/.test(name), cancelable: true, button: 0 }),
    );
  }
}

function isDisabled(element: Element): boolean {
  const name = localNameOf(element);
  if (name === 'input') return disabledOf(element);
  return (
    (name === 'button' || name === 'select' || name === 'textarea') && labelOf(element, 'disabled') !== null
  );
}

function enter(element: Element, text: string): void {
  const field = VALUES[localNameOf(element)]!;
  const before = new KeyboardEvent('keydown', { key: text, bubbles: true, cancelable: true });
  if (!dispatch(element, before)) return;
  field.set(element, field.get(element) + text);
  dispatch(element, new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }));
  dispatch(element, new KeyboardEvent('keyup', { key: text, bubbles: true, cancelable: true }));
}

function choose(element: Element, wanted: string): Missed | null {
  const options = optionsOf(element);
  for (let i = 0; i < optionCount(options); i++) {
    const option = optionAt(options, i)!;
    if (optionTextOf(option) !== wanted && optionValueOf(option) !== wanted) continue;
    VALUES.select!.set(element, optionValueOf(option));
    dispatch(element, new Event('input', { bubbles: true }));
    dispatch(element, new Event('change', { bubbles: true }));
    return null;
  }
  return { missed: `There is no option "${wanted}"` };
}

/** Each part in an act of its own, so that React answers one key before the next. */
export function partsOf(step: Exclude<Step, { act: 'wait' }>, container: Element): (() => void)[] | Missed {
  const element = find(
    document.body,
    container,
    step.selector,
    step.act === 'click' || step.act === 'hover' ? step.text : null,
  );
  if (isMissed(element))
    return { missed: `${element.missed} to ${step.act}${step.act === 'type' ? ' into' : ''}.` };
  const name = localNameOf(element);
  switch (step.act) {
    case 'click':
      return [
        () => {
          if (isDisabled(element)) return;
          mouse(element, ['mousedown']);
          focusOn(element as HTMLElement);
          mouse(element, ['mouseup']);
          clickOn(element as HTMLElement);
        },
      ];
    case 'hover':
      return [() => mouse(element, ['mouseover', 'mouseenter', 'mousemove'])];
    case 'focus':
      return [() => focusOn(element as HTMLElement)];
    case 'blur':
      return [
        () => {
          blurOff(element as HTMLElement);
          dispatch(element, new FocusEvent('focusout', { bubbles: true }));
        },
      ];
    case 'submit': {
      const form = name === 'form' ? element : closest(element, 'form');
      if (!form) return { missed: `There is no form around ${step.selector} to submit.` };
      return [() => requestSubmit(form as HTMLFormElement)];
    }
    case 'press':
      return [
        () => {
          const options = { key: step.text, bubbles: true, cancelable: true };
          const goesOn = dispatch(element, new KeyboardEvent('keydown', options));
          dispatch(element, new KeyboardEvent('keyup', options));
          const form = name === 'input' && step.text === 'Enter' && goesOn ? closest(element, 'form') : null;
          if (form) requestSubmit(form as HTMLFormElement);
        },
      ];
    case 'select':
      if (name !== 'select') return { missed: `${step.selector} is not a select element.` };
      return [
        () => {
          const problem = choose(element, step.text);
          if (problem) throw new Error(problem.missed);
        },
      ];
    case 'clear':
    case 'type': {
      const field = VALUES[name];
      if (!field || name === 'select') return { missed: `${step.selector} is not a field to type into.` };
      if (isDisabled(element)) return [];
      if (step.act === 'clear') {
        return [
          () => {
            field.set(element, '');
            dispatch(element, new InputEvent('input', { bubbles: true, inputType: 'deleteContentBackward' }));
          },
        ];
      }
      const keys = [...textOnly(step.text)];
      const single = keys.slice(0, SINGLE_KEYS);
      const rest = keys.slice(SINGLE_KEYS).join('');
      const parts = single.map((key) => () => enter(element, key));
      if (rest) parts.push(() => enter(element, rest));
      return [() => focusOn(element as HTMLElement), ...parts];
    }
  }
}
