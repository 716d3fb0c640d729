export interface Outcome {
  learners: number;
  passed: number;
}

export const TRIES_COUNTED = 3;
const ENOUGH = { offered: 20, heldOut: 5 };
/** Of the normal distribution, for 95 %. */
const Z = 1.96;

/** Wilson's interval of a share, for 95 %. */
export function interval({ learners, passed }: Outcome): { low: number; high: number } {
  if (learners === 0) return { low: 0, high: 1 };
  const share = passed / learners;
  const scale = 1 + Z ** 2 / learners;
  const middle = (share + Z ** 2 / (2 * learners)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / learners + Z ** 2 / (4 * learners ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Yes where the difference of the shares is above zero with 95 % (Newcombe's interval). */
export function helps(offered: Outcome, heldOut: Outcome): 'yes' | 'no' | 'unknown' {
  if (offered.learners === 0 || heldOut.learners === 0) return 'unknown';
  const [withHint, without] = [offered.passed / offered.learners, heldOut.passed / heldOut.learners];
  const down = withHint - interval(offered).low;
  const up = interval(heldOut).high - without;
  if (withHint - without - Math.hypot(down, up) > 0) return 'yes';
  const isEnough = offered.learners >= ENOUGH.offered && heldOut.learners >= ENOUGH.heldOut;
  return isEnough && withHint <= without ? 'no' : 'unknown';
}
