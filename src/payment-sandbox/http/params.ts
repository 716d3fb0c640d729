import { invalidParameter } from './errors.ts';
import type { FormGroup, FormValue } from './form.ts';

const MAX_TEXT = 5000;
const MAX_METADATA_KEYS = 50;

/**
 * Reads parameters and remembers their names, so that `done()` can refuse unknown ones as the provider does.
 */
export class Params {
  readonly #group: FormGroup;
  readonly #prefix: string;
  readonly #read = new Set<string>();
  readonly #children: Params[] = [];

  constructor(group: FormGroup, prefix = '') {
    this.#group = group;
    this.#prefix = prefix;
  }

  nameOf(name: string): string {
    return this.#prefix ? `${this.#prefix}[${name}]` : name;
  }

  has(name: string): boolean {
    return this.#group[name] !== undefined;
  }

  isText(name: string): boolean {
    return typeof this.#group[name] === 'string';
  }

  #value(name: string): FormValue | undefined {
    this.#read.add(name);
    return this.#group[name];
  }

  /** At most 5000 characters. */
  text(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw invalidParameter(this.nameOf(name), undefined, 'Invalid string');
    if (value.length > MAX_TEXT) {
      throw invalidParameter(
        this.nameOf(name),
        undefined,
        `Invalid string: ${value.slice(0, 20)}…; must be at most ${MAX_TEXT} characters`,
      );
    }
    return value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw this.missing(name);
    if (value === '') throw this.empty(name);
    return value;
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value === '') throw this.empty(name);
    if (!/^-?\d{1,15}$/.test(value)) {
      throw invalidParameter(this.nameOf(name), 'parameter_invalid_integer', `Invalid integer: ${value}`);
    }
    return Number(value);
  }

  boolean(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw invalidParameter(this.nameOf(name), undefined, `Invalid boolean: ${value}`);
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = allowed.find((option) => option === value);
    if (found) return found;
    throw invalidParameter(
      this.nameOf(name),
      undefined,
      `Invalid ${this.nameOf(name)}: must be one of ${allowed.join(', ')}`,
    );
  }

  group(name: string): Params | undefined {
    const value = this.#value(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') throw invalidParameter(this.nameOf(name), undefined, 'Invalid object');
    const child = new Params(value, this.nameOf(name));
    this.#children.push(child);
    return child;
  }

  list(name: string): string[] {
    const value = this.#value(name);
    if (value === undefined || value === '') return [];
    const items = typeof value === 'string' ? undefined : Object.entries(value);
    if (!items?.every(([key, item]) => /^#?\d{1,3}$/.test(key) && typeof item === 'string')) {
      throw invalidParameter(this.nameOf(name), undefined, 'Invalid array');
    }
    return items.map(([, item]) => String(item));
  }

  /** An empty value removes its key, `metadata=` all. */
  metadata(before: Record<string, string>): Record<string, string> {
    const value = this.#value('metadata');
    if (value === undefined) return before;
    if (value === '') return {};
    if (typeof value === 'string') throw invalidParameter('metadata', undefined, 'Invalid object');
    const merged = { ...before };
    for (const [key, text] of Object.entries(value)) {
      const name = `metadata[${key}]`;
      if (typeof text !== 'string')
        throw invalidParameter(name, undefined, 'Metadata values must be strings');
      if (key.length > 40) {
        throw invalidParameter(name, undefined, 'Metadata keys must be at most 40 characters long');
      }
      if (text.length > 500) {
        throw invalidParameter(name, undefined, 'Metadata values can have up to 500 characters');
      }
      if (text === '') delete merged[key];
      else merged[key] = text;
    }
    if (Object.keys(merged).length > MAX_METADATA_KEYS) {
      throw invalidParameter('metadata', undefined, `Metadata can have up to ${MAX_METADATA_KEYS} keys`);
    }
    return merged;
  }

  missing(name: string): Error {
    const full = this.nameOf(name);
    return invalidParameter(full, 'parameter_missing', `Missing required param: ${full}.`);
  }

  empty(name: string): Error {
    const full = this.nameOf(name);
    return invalidParameter(
      full,
      'parameter_invalid_empty',
      `You passed an empty string for '${full}'. We assume empty values are an attempt to unset a parameter; however '${full}' cannot be unset. You should remove '${full}' from your request or supply a non-empty value.`,
    );
  }

  #unknown(): string[] {
    const own = Object.keys(this.#group).filter((name) => !this.#read.has(name));
    return [...own.map((name) => this.nameOf(name)), ...this.#children.flatMap((child) => child.#unknown())];
  }

  done(): void {
    const unknown = this.#unknown();
    if (!unknown[0]) return;
    throw invalidParameter(
      unknown[0],
      'parameter_unknown',
      `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`,
    );
  }
}
