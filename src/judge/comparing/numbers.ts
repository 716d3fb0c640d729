const NUMBER_TOLERANCE = 1e-9;

/** The same but for what is lost in computing (decision 44). */
export function sameNumber(a: number, b: number): boolean {
  if (a === b) return true;
  return Math.abs(a - b) <= NUMBER_TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b));
}
