import { readFileSync } from 'node:fs';
import { parseSearchWords, type SearchWords } from './search-words.ts';

let words: SearchWords | undefined;

export function searchWordsOfFile(): SearchWords {
  words ??= parseSearchWords(
    readFileSync(new URL('../../../content/search-words.yaml', import.meta.url), 'utf8'),
    'src/content/search-words.yaml',
  );
  return words;
}
