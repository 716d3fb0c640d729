/** Whether there is anything in a text but white space. */
export function isBlank(text: string | null | undefined): boolean {
  return !text?.trim();
}
