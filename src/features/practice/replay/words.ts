/** Of a value in a sentence: printed lines may be long. */
const SHOWN = 80;

/** A value as a sentence tells it. */
export const short = (text: string) =>
  text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text || 'an empty line';
