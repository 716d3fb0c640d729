import type { Finding } from './lint.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';

export interface EditorHandle {
  value: () => string;
  replace: (code: string) => void;
  mark: (findings: readonly Finding[], failing: Finding | null) => void;
  goTo: (line: number, column: number) => void;
  currentLine: () => { line: number; text: string };
}

export interface EditorHostProps {
  language: CodingLanguage;
  label: string;
  describedBy: string;
  invalid: boolean;
  takeOver: () => { code: string; offset: number; focused: boolean };
  onReady: (editor: EditorHandle) => void;
  onChange: (code: string) => void;
  onRun: () => void;
}

/** Whether there is room for the full editor and a mouse for it. */
export const hasMouse = () => matchMedia('(min-width: 48rem) and (not (pointer: coarse))').matches;

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
