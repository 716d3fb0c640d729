/** Around all that is put into a program for its recorder, so that it can be removed again. */
export const markOf = (recorder: string): string => `/*${recorder}*/`;
