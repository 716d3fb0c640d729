import type { Appearance, StripeError } from '@stripe/stripe-js';
import {
  brandOf,
  digitsOf,
  expiryProblem,
  formatCardNumber,
  formatExpiry,
  numberProblem,
  parseExpiry,
} from '#src/payment-sandbox/objects/card-number.ts';
import type { FormInput } from './api-client.ts';
import { countries } from '#src/shared/countries.ts';
import { postalLabel } from './postal-label.ts';
import { html, icon } from './dom.ts';
import { applyAppearance, fieldStyle } from './style.ts';

type ElementEvent = 'ready' | 'loaderror';
type Handler = (payload?: unknown) => void;

export interface PaymentElementOptions {
  fields?: { billingDetails?: 'auto' | 'never' | { address?: 'auto' | 'never' | 'if_required' | object } };
  defaultValues?: { billingDetails?: { address?: { country?: string; postal_code?: string } } };
}

const MESSAGES: Record<string, string> = {
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  incomplete_cvc: "Your card's security code is incomplete.",
};

const FIELD_OF_ERROR: Record<string, FieldName> = {
  incorrect_number: 'number',
  invalid_number: 'number',
  invalid_expiry_month: 'expiry',
  invalid_expiry_year: 'expiry',
  expired_card: 'expiry',
  incorrect_cvc: 'cvc',
  invalid_cvc: 'cvc',
};

type FieldName = 'number' | 'expiry' | 'cvc';

interface Field {
  input: HTMLInputElement;
  error: HTMLParagraphElement;
  text: HTMLSpanElement;
  touched: boolean;
}

let instances = 0;

type Shape = Parameters<typeof icon>[2];

const glyph = (...shapes: Shape[]): SVGElement =>
  icon(
    '0 0 28 20',
    'glyph',
    [
      'rect',
      {
        x: 1,
        y: 1,
        width: 26,
        height: 18,
        rx: 3.5,
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': 1.5,
      },
    ],
    ...shapes,
  );

const cardGlyph = () =>
  glyph(
    ['rect', { x: 1.5, y: 5.5, width: 25, height: 3.5, fill: 'currentColor', opacity: 0.85 }],
    ['rect', { x: 4.5, y: 13, width: 8, height: 1.8, rx: 0.9, fill: 'currentColor', opacity: 0.55 }],
  );

const codeGlyph = () =>
  glyph(
    ['rect', { x: 1.5, y: 4.5, width: 25, height: 3, fill: 'currentColor', opacity: 0.5 }],
    ['rect', { x: 14.5, y: 10.5, width: 10, height: 5.5, rx: 1.5, fill: 'currentColor' }],
  );

/** The card form: three checked fields, country and postal code, inside a shadow root the page's styles do not reach. */
export class PaymentElement {
  readonly #id = `payment-sandbox-${++instances}`;
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #onDestroy: () => void;
  readonly #load: () => Promise<StripeError | null>;
  readonly #host: HTMLDivElement;
  readonly #root: ShadowRoot;
  readonly #form: HTMLFieldSetElement;
  readonly #number: Field;
  readonly #expiry: Field;
  readonly #cvc: Field;
  readonly #brand: HTMLSpanElement;
  readonly #brandName: HTMLSpanElement;
  readonly #country: HTMLSelectElement;
  readonly #postal: HTMLInputElement;
  readonly #postalLabel: HTMLLabelElement;
  readonly #postalField: HTMLDivElement;
  readonly #countryField: HTMLDivElement;
  #options: PaymentElementOptions;
  #destroyed = false;

  constructor(
    options: PaymentElementOptions,
    appearance: Appearance | undefined,
    load: () => Promise<StripeError | null>,
    onDestroy: () => void,
  ) {
    this.#options = options;
    this.#load = load;
    this.#onDestroy = onDestroy;
    this.#host = html('div', { class: 'PaymentSandboxElement' });
    this.#root = this.#host.attachShadow({ mode: 'open' });
    this.#root.adoptedStyleSheets = [fieldStyle()];

    this.#brandName = html('span', { class: 'name' });
    this.#brand = html('span', { class: 'brand' }, this.#brandName, cardGlyph());
    this.#number = this.#field('number', { autocomplete: 'cc-number', placeholder: '1234 1234 1234 1234' });
    this.#expiry = this.#field('expiry', { autocomplete: 'cc-exp', placeholder: 'MM / YY' });
    this.#cvc = this.#field('cvc', { autocomplete: 'cc-csc', placeholder: 'CVC' });

    this.#country = html('select', { id: `${this.#id}-country`, autocomplete: 'billing country' });
    for (const { code, name } of countries()) this.#country.append(html('option', { value: code }, name));
    this.#postal = html('input', {
      id: `${this.#id}-postal`,
      type: 'text',
      autocomplete: 'billing postal-code',
      maxlength: 12,
    });
    this.#postalLabel = html('label', { for: this.#postal.id });
    this.#postalField = html(
      'div',
      { class: 'field' },
      this.#postalLabel,
      html('div', { class: 'box' }, this.#postal),
    );
    const chevron = icon('0 0 20 20', 'chevron', [
      'path',
      {
        d: 'M5 7.5l5 5 5-5',
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': 1.8,
        'stroke-linecap': 'round',
      },
    ]);
    chevron.setAttribute('width', '18');
    this.#countryField = html(
      'div',
      { class: 'field' },
      html('label', { for: this.#country.id }, 'Country'),
      html('div', { class: 'box' }, this.#country, html('span', { class: 'adorn' }, chevron)),
    );

    this.#form = html(
      'fieldset',
      { class: 'form', 'aria-label': 'Card details' },
      this.#fieldRow('number', 'Card number', this.#number, 'field wide', this.#brand),
      this.#fieldRow('expiry', 'Expiration date', this.#expiry, 'field'),
      this.#fieldRow('cvc', 'Security code', this.#cvc, 'field', codeGlyph()),
      this.#countryField,
      this.#postalField,
    );
    this.#root.append(this.#form);
    this.#showBrand();
    this.#listen();
    this.setAppearance(appearance);
    const address = options.defaultValues?.billingDetails?.address;
    this.#country.value = address?.country ?? 'US';
    this.#postal.value = address?.postal_code ?? '';
    this.#applyOptions();
  }

  #field(name: FieldName, attributes: { autocomplete: string; placeholder: string }): Field {
    const id = `${this.#id}-${name}`;
    const text = html('span');
    const error = html(
      'p',
      { class: 'error', id: `${id}-error`, hidden: true },
      icon(
        '0 0 16 16',
        '',
        ['circle', { cx: 8, cy: 8, r: 7, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.6 }],
        ['rect', { x: 7.1, y: 4, width: 1.8, height: 5, rx: 0.9, fill: 'currentColor' }],
        ['circle', { cx: 8, cy: 11.4, r: 1.05, fill: 'currentColor' }],
      ),
      text,
    );
    const input = html('input', {
      id,
      class: name,
      type: 'text',
      inputmode: 'numeric',
      autocapitalize: 'off',
      autocorrect: 'off',
      spellcheck: 'false',
      'aria-required': 'true',
      'aria-invalid': 'false',
      ...attributes,
    });
    return { input, error, text, touched: false };
  }

  #fieldRow(name: FieldName, label: string, field: Field, className: string, adornment?: Node): HTMLElement {
    const box = html('div', { class: 'box' }, field.input);
    if (adornment) box.append(html('span', { class: 'adorn' }, adornment));
    return html(
      'div',
      { class: className },
      html('label', { for: `${this.#id}-${name}` }, label),
      box,
      field.error,
    );
  }

  get #fields(): [FieldName, Field][] {
    return [
      ['number', this.#number],
      ['expiry', this.#expiry],
      ['cvc', this.#cvc],
    ];
  }

  #listen(): void {
    this.#number.input.addEventListener('input', () => {
      this.#reformat(this.#number.input, formatCardNumber);
      this.#showBrand();
      const digits = digitsOf(this.#number.input.value);
      this.#afterInput('number');
      if (numberProblem(digits) === null && this.#caretAtEnd(this.#number.input)) this.#expiry.input.focus();
    });
    this.#expiry.input.addEventListener('input', (event) => {
      const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
      this.#reformat(this.#expiry.input, (text) => formatExpiry(text, deleting));
      this.#afterInput('expiry');
      const complete = digitsOf(this.#expiry.input.value).length === 4;
      if (complete && !deleting && this.#problem('expiry') === null) this.#cvc.input.focus();
    });
    this.#cvc.input.addEventListener('input', () => {
      this.#reformat(this.#cvc.input, (text) => digitsOf(text).slice(0, this.#cvcLength()));
      this.#afterInput('cvc');
    });
    this.#country.addEventListener('change', () => {
      this.#applyOptions();
    });
    for (const [name, field] of this.#fields) {
      field.input.addEventListener('blur', () => {
        if (field.input.value === '') return;
        field.touched = true;
        this.#showProblem(name);
      });
    }
    this.#form.addEventListener('keydown', (event) => {
      // Fields in a shadow root do not belong to the form around it: Enter would do nothing.
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
        event.preventDefault();
        this.#host.closest('form')?.requestSubmit();
      }
    });
  }

  #reformat(input: HTMLInputElement, format: (text: string) => string): void {
    const caret = input.selectionStart ?? input.value.length;
    const atEnd = caret >= input.value.length;
    const before = digitsOf(input.value.slice(0, caret)).length;
    const formatted = format(input.value);
    if (formatted === input.value) return;
    input.value = formatted;
    let place = 0;
    for (let seen = 0; place < formatted.length && seen < before; place += 1) {
      if (/\d/.test(formatted[place] ?? '')) seen += 1;
    }
    const next = atEnd ? formatted.length : place;
    if (this.#root.activeElement === input) input.setSelectionRange(next, next);
  }

  #caretAtEnd(input: HTMLInputElement): boolean {
    return this.#root.activeElement === input && input.selectionStart === input.value.length;
  }

  #cvcLength(): number {
    return brandOf(digitsOf(this.#number.input.value)).cvcLength;
  }

  #showBrand(): void {
    const rule = brandOf(digitsOf(this.#number.input.value));
    this.#brand.dataset.brand = rule.brand;
    this.#brandName.textContent =
      rule.brand === 'unknown' ? '' : rule.name === 'American Express' ? 'Amex' : rule.name;
    this.#cvc.input.placeholder = rule.cvcLength === 4 ? '4 digits' : 'CVC';
  }

  #afterInput(name: FieldName): void {
    const field = this.#fieldOf(name);
    // A wrong number is said as soon as it is whole; an unfinished one not before the field is left.
    const whole = name === 'number' && this.#problem('number') === 'invalid_number';
    const dated = name === 'expiry' && digitsOf(field.input.value).length === 4;
    if (whole || dated || field.touched) this.#showProblem(name);
    if (this.#problem(name) === null) this.#setError(field, null);
    if (name === 'number' && this.#cvc.touched) this.#showProblem('cvc');
  }

  #fieldOf(name: FieldName): Field {
    return name === 'number' ? this.#number : name === 'expiry' ? this.#expiry : this.#cvc;
  }

  #problem(name: FieldName): string | null {
    if (name === 'number') return numberProblem(digitsOf(this.#number.input.value));
    if (name === 'expiry') {
      const text = this.#expiry.input.value;
      if (digitsOf(text).length === 4 && parseExpiry(text) === null) return 'invalid_expiry_year';
      return expiryProblem(parseExpiry(text));
    }
    return this.#cvc.input.value.length === this.#cvcLength() ? null : 'incomplete_cvc';
  }

  #messageOf(name: FieldName, problem: string): string {
    if (
      name === 'expiry' &&
      parseExpiry(this.#expiry.input.value) === null &&
      problem === 'invalid_expiry_year'
    ) {
      return "Your card's expiration date is invalid.";
    }
    return MESSAGES[problem] ?? 'This field is invalid.';
  }

  #showProblem(name: FieldName): string | null {
    const problem = this.#problem(name);
    this.#setError(this.#fieldOf(name), problem === null ? null : this.#messageOf(name, problem));
    return problem;
  }

  #setError(field: Field, message: string | null): void {
    field.text.textContent = message ?? '';
    field.error.hidden = message === null;
    field.input.setAttribute('aria-invalid', String(message !== null));
    if (message === null) field.input.removeAttribute('aria-describedby');
    else field.input.setAttribute('aria-describedby', field.error.id);
  }

  #applyOptions(): void {
    const billing = this.#options.fields?.billingDetails;
    const address = typeof billing === 'object' ? billing.address : billing;
    const label = postalLabel(this.#country.value);
    this.#countryField.hidden = address === 'never';
    this.#postalField.hidden = address === 'never' || label === null;
    this.#countryField.style.display = this.#countryField.hidden ? 'none' : '';
    this.#postalField.style.display = this.#postalField.hidden ? 'none' : '';
    this.#countryField.classList.toggle('wide', label === null);
    this.#postalLabel.replaceChildren(label ?? '', ' ', html('span', { class: 'optional' }, '(optional)'));
  }

  #emit(event: ElementEvent, payload: object = {}): void {
    for (const handler of this.#handlers.get(event) ?? []) handler({ elementType: 'payment', ...payload });
  }

  methodData(): FormInput {
    const expiry = parseExpiry(this.#expiry.input.value);
    return {
      type: 'card',
      card: {
        number: digitsOf(this.#number.input.value),
        exp_month: expiry?.month,
        exp_year: expiry?.year,
        cvc: this.#cvc.input.value,
      },
      billing_details: {
        address: {
          country: this.#countryField.hidden ? undefined : this.#country.value,
          postal_code: this.#postalField.hidden ? undefined : this.#postal.value.trim(),
        },
      },
    };
  }

  validate(): StripeError | null {
    let first: { field: Field; code: string; message: string } | null = null;
    for (const [name, field] of this.#fields) {
      field.touched = true;
      const problem = this.#showProblem(name);
      if (problem && !first) first = { field, code: problem, message: this.#messageOf(name, problem) };
    }
    if (!first) return null;
    first.field.input.focus();
    return { type: 'validation_error', code: first.code, message: first.message };
  }

  showError(error: StripeError): void {
    const name = FIELD_OF_ERROR[error.code ?? ''];
    if (name) this.#setError(this.#fieldOf(name), error.message ?? 'Your card was declined.');
  }

  setAppearance(appearance: Appearance | undefined): void {
    applyAppearance(this.#host, appearance);
  }

  mount(target: string | HTMLElement): void {
    const parent = typeof target === 'string' ? document.querySelector(target) : target;
    if (!parent)
      throw new Error(`The selector you specified (${String(target)}) applies to no DOM elements.`);
    if (this.#destroyed) throw new Error('This Element has been destroyed. Please create a new one.');
    parent.replaceChildren(this.#host);
    this.#emitLater();
  }

  async #emitLater(): Promise<void> {
    // Listeners are attached after mount; the first event waits for them.
    await Promise.resolve();
    const error = await this.#load();
    if (this.#destroyed || !this.#host.isConnected) return;
    if (error) {
      const message = error.message ?? 'The payment form could not be loaded.';
      this.#root.replaceChildren(html('p', { class: 'notice', role: 'alert' }, message));
      this.#emit('loaderror', { error });
      return;
    }
    this.#emit('ready');
  }

  destroy(): void {
    this.#destroyed = true;
    this.#host.remove();
    this.#handlers.clear();
    this.#onDestroy();
  }

  update(options: PaymentElementOptions): void {
    this.#options = { ...this.#options, ...options };
    this.#applyOptions();
  }

  on(event: string, handler: Handler): this {
    const handlers = this.#handlers.get(event) ?? new Set();
    handlers.add(handler);
    this.#handlers.set(event, handlers);
    return this;
  }

  off(event: string, handler?: Handler): this {
    if (handler) this.#handlers.get(event)?.delete(handler);
    else this.#handlers.delete(event);
    return this;
  }
}
