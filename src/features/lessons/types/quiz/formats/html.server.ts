import { LRUCache } from 'lru-cache';
import { plainParagraphs, renderMarkdown } from '#src/server/markdown.ts';
import { phrasing, withoutHeadings } from '#src/server/phrasing.ts';
import type { ShownQuestion } from '../kinds/kind.ts';
import type { Question } from '../question.ts';

// A question that says `format: 'markdown'` is sent with its texts as HTML, beside the texts themselves.

/** Characters of all options that are kept: those of a quiz are asked for with each of its attempts. */
const CACHE_MAX = 2_097_152;
const cache = new LRUCache<string, string>({
  maxSize: CACHE_MAX,
  sizeCalculation: (html, key) => html.length + key.length + 100,
});

/** The text of a question, or its explanation. A page has its own headings. */
export const formattedHtml = (text: string): string => withoutHeadings(renderMarkdown(text));

function optionHtml(text: string): string {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const html = phrasing(renderMarkdown(text));
  cache.set(text, html);
  return html;
}

/** What a learner sees of a formatted question before the answer. */
export function shownHtml(
  question: string,
  options: readonly string[] | null,
): Pick<ShownQuestion, 'questionHtml' | 'optionsHtml'> {
  return {
    questionHtml: formattedHtml(question),
    ...(options ? { optionsHtml: options.map(optionHtml) } : {}),
  };
}

/** The words of a formatted text on one line. */
export const wordsOf = (text: string): string => plainParagraphs(text).join(' ').replace(/\s+/g, ' ').trim();

/** A text of a question on one line, for lists; one that is not formatted stays as it is. */
export function plainLine({ format }: { format?: 'markdown' | undefined }, text: string): string {
  return (format && wordsOf(text)) || text;
}

/** A question without formats, as a file that knows none has it. */
export function plainQuestion(question: Question): Question {
  if (!question.format) return question;
  const plain = (text: string) => plainLine(question, text);
  return {
    ...question,
    question: plain(question.question),
    explanation: question.explanation && plain(question.explanation),
    ...('options' in question ? { options: question.options.map(plain) } : {}),
  } as Question;
}
