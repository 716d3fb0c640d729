const MOST_NOTES = 100;
const messages: string[] = [];

/** Keeps what the glue complains about, for the error of an interpreter that does not start. */
export function note(...parts: unknown[]): void {
  if (messages.length < MOST_NOTES) messages.push(parts.map(String).join(' '));
}

/** Everything that the glue complained about. */
export function noted(): string {
  return messages.join('; ');
}
