const MOST_NOTES = 100;
const messages: string[] = [];

export function note(...parts: unknown[]): void {
  if (messages.length < MOST_NOTES) messages.push(parts.map(String).join(' '));
}

export function noted(): string {
  return messages.join('; ');
}
