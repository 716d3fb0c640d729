import { describe, expect, it } from 'vitest';
import { newTry, type TryAction, tryReducer } from './quiz-try.ts';

const GOOD = { score: 80 };
const stateAfter = (...actions: TryAction<typeof GOOD>[]) =>
  actions.reduce(tryReducer<typeof GOOD>, newTry<typeof GOOD>(null));
const missing = { 'answers.1': 'Choose one', 'answers.2': 'Choose one' };

describe('a try at a quiz', () => {
  it('begins with the last result where there is one, and with what was kept', () => {
    expect(newTry(GOOD)).toEqual({ answers: {}, phase: 'marked', result: GOOD, errors: {} });
    const begun = tryReducer(newTry(GOOD), { do: 'begin', answers: { 1: 0 } });
    expect(begun).toEqual({ answers: { 1: 0 }, result: null, phase: 'answering', errors: {} });
  });

  it('takes the message of a question away once that is answered', () => {
    const state = stateAfter({ do: 'refuse', errors: missing }, { do: 'answer', questionId: 1, answer: 0 });
    expect(state.errors).toEqual({ 'answers.2': 'Choose one' });
    expect(state.answers).toEqual({ 1: 0 });
  });

  it('keeps its answers when it is refused or fails, and can be sent again', () => {
    const sent: TryAction<typeof GOOD>[] = [{ do: 'answer', questionId: 1, answer: 0 }, { do: 'send' }];
    expect(stateAfter(...sent).phase).toBe('sending');
    expect(stateAfter(...sent, { do: 'fail' })).toMatchObject({ answers: { 1: 0 }, phase: 'answering' });
    const refused = stateAfter(...sent, { do: 'refuse', errors: missing });
    expect(refused).toMatchObject({ answers: { 1: 0 }, phase: 'answering', errors: missing });
  });

  it('is over once it is marked', () => {
    const marked = stateAfter({ do: 'send' }, { do: 'mark', result: GOOD });
    expect(marked).toMatchObject({ phase: 'marked', result: GOOD });
    expect(tryReducer(marked, { do: 'send' })).toBe(marked);
    expect(tryReducer(marked, { do: 'refuse', errors: missing })).toBe(marked);
  });
});
