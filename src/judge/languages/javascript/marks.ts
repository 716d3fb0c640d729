/** Stands before and behind all that is put into a program for its recorder, so that it can be taken out again. */
export const markOf = (recorder: string): string => `/*${recorder}*/`;
