const NUMBER_TOLERANCE = 1e-9;

/** Whether two numbers are the same but for what is lost in computing with them (decision 44). */
export function sameNumber(a: number, b: number): boolean {
  if (a === b) return true;
  return Math.abs(a - b) <= NUMBER_TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b));
}
