export function isBlank(text: string | null | undefined): boolean {
  return !text?.trim();
}
