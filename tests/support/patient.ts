/**
 * Asks again for as long as the machine is too busy to answer (503): what is tried has an answer, and nothing was counted
 * before. How a busy site refuses is tried by tests of its own.
 */
export async function answered<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
}
