/**
 * A beginner's program and what it is told: the mistake, the program, its test as `input → expected`, what the headline says,
 * and what the hint says. The programs are our own; more than half are of kinds that public lists of mistakes name.
 */
export type Mistake = [what: string, code: string, test: string, headline: RegExp, hint: RegExp];
