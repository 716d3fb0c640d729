import type { Finding } from './lint.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';

/** What the page does with the editor, whichever is there. */
export interface EditorHandle {
  value: () => string;
  /** Replaces everything; can be undone. */
  replace: (code: string) => void;
  mark: (findings: readonly Finding[], failing: Finding | null) => void;
  goTo: (line: number, column: number) => void;
  /** The line that the caret is in. */
  currentLine: () => { line: number; text: string };
}

/** What an editor gets that takes the place of the plain text field. */
export interface EditorHostProps {
  language: CodingLanguage;
  label: string;
  /** Id of the line that tells what is wrong with the program. */
  describedBy: string;
  invalid: boolean;
  /** The text field as it is when the editor takes its place: program, caret and focus. */
  takeOver: () => { code: string; offset: number; focused: boolean };
  onReady: (editor: EditorHandle) => void;
  onChange: (code: string) => void;
  onRun: () => void;
}

/** Whether there is room for the full editor and a mouse for it; else the one for fingers has its keys. Browser only. */
export const hasMouse = () => matchMedia('(min-width: 48rem) and (not (pointer: coarse))').matches;

/** What stands out in a program, with its color token; each meets 4.5:1 on the editor's grounds (theme.test.ts). */
export const CODE_COLORS = {
  comment: '--color-ink-faint',
  keyword: '--color-accent',
  tag: '--color-accent',
  attribute: '--color-warning',
  string: '--color-success',
  number: '--color-warning',
  regexp: '--color-danger',
  type: '--color-info',
  punctuation: '--color-ink-soft',
} as const;
