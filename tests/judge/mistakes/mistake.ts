/**
 * The mistake, the program, its test as `input → expected`, and patterns of the error message and of the hint. Public lists
 * of mistakes name more than half of the kinds; the programs are our own.
 */
export type Mistake = [what: string, code: string, test: string, headline: RegExp, hint: RegExp];
