/**
 * What is practised after a quiz: the questions that were wrong, by id, the first of them being asked. One that is right is
 * over, one that is wrong again goes to the end.
 */
export function afterPractice(queue: readonly number[], isRight: boolean): number[] {
  const [asked, ...rest] = queue;
  return asked === undefined || isRight ? rest : [...rest, asked];
}

/** The index of the first question without shown feedback. */
export function firstOpen(questions: readonly { id: number }[], told: ReadonlySet<number>): number {
  const at = questions.findIndex(({ id }) => !told.has(id));
  return at < 0 ? Math.max(0, questions.length - 1) : at;
}
