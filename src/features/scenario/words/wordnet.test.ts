import { describe, expect, it } from 'vitest';
import { wordNet } from './wordnet.server.ts';

describe('WordNet', () => {
  it('knows words and their forms', () => {
    expect(wordNet.isWord('restarting')).toBe(true);
    expect(wordNet.isEveryday('bananas')).toBe(true);
    expect(wordNet.synonymsOf('buy')).toContain('purchase');
  });

  it.each(['', ' ', 'ing', 'constructor', '__proto__', 'привет', '日本', '\uffff', 'x'.repeat(5000)])(
    'answers for %j',
    (word) => {
      expect(wordNet.isEveryday(word)).toBe(false);
      expect(wordNet.isWord(word)).toBeTypeOf('boolean');
      expect(wordNet.synonymsOf(word)).toEqual(word === 'constructor' ? ['builder', 'constructor'] : []);
    },
  );
});
