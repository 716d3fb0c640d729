/** What a wrong answer shows of itself, whatever the language: how the value that came differs from the one that was asked for. */

interface Told {
  message: string;
  explanation: string;
}

/** A value as JSON; undefined for one that is none. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const ofText = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();

function ofLists(got: readonly unknown[], wanted: readonly unknown[]): Told | null {
  if (wanted.length > 0 && got.length === 0) {
    return {
      message: 'An empty list came.',
      explanation: 'Nothing was put into it, or it was made anew after that. Look at what each round adds.',
    };
  }
  if (wanted.length === got.length + 1 && isSame(got, wanted.slice(0, -1))) {
    return {
      message: 'The last item is missing.',
      explanation: 'A loop ends one round too early. Look at where it ends: at < or <=.',
    };
  }
  if (wanted.length === got.length + 1 && isSame(got, wanted.slice(1))) {
    return {
      message: 'The first item is missing.',
      explanation: 'Places are counted from 0, so that a loop over all of them begins at 0.',
    };
  }
  if (got.length > 1 && isSame(got, wanted.toReversed())) {
    return { message: 'It is right the other way round.', explanation: 'Turn the order around.' };
  }
  if (got.length === wanted.length && got.length > 1 && isSame(ofText(got), ofText(wanted))) {
    return { message: 'The right items came in another order.', explanation: 'Look at how they are sorted.' };
  }
  return null;
}

/**
 * What the difference between two shown values tells.
 *
 * @param got the value of the program, or what it printed, as it is shown
 * @param wanted of a test that the learner sees
 */
export function tellDifference(got: string, wanted: string): Told | null {
  if (got.includes('[object Object]') && !wanted.includes('[object Object]')) {
    return {
      message: 'An object was put into a text.',
      explanation: 'It shows as [object Object]. Name the part of it that you want, such as user.name.',
    };
  }
  const [a, b] = [read(got.trim()), read(wanted.trim())];
  if (Array.isArray(a) && Array.isArray(b)) return ofLists(a, b);
  if (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) === 1 && Number.isInteger(b)) {
    return {
      message: a < b ? 'It is one too few.' : 'It is one too many.',
      explanation: 'Look at where counting begins and ends: at 0 or 1, at < or <=.',
    };
  }
  return null;
}
