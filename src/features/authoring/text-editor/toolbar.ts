import {
  Bold,
  Code,
  CodeXml,
  Heading,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  MessageSquareWarning,
  Sigma,
  Superscript,
  Table,
} from 'lucide-react';
import type { CommandName } from './commands.ts';

export interface Tool {
  name: CommandName;
  label: string;
  icon: LucideIcon;
  /** As CodeMirror names keys: Mod is Ctrl, or ⌘ on a Mac. */
  key: string;
}

export const TOOLS: readonly Tool[] = [
  { name: 'heading', label: 'Heading', icon: Heading, key: 'Mod-Alt-h' },
  { name: 'bold', label: 'Bold', icon: Bold, key: 'Mod-b' },
  { name: 'italic', label: 'Italic', icon: Italic, key: 'Mod-i' },
  { name: 'code', label: 'Code in a line', icon: Code, key: 'Mod-e' },
  { name: 'link', label: 'Link', icon: Link, key: 'Mod-k' },
  { name: 'list', label: 'List', icon: List, key: 'Mod-Shift-8' },
  { name: 'numbered', label: 'Numbered list', icon: ListOrdered, key: 'Mod-Shift-7' },
  { name: 'tasks', label: 'Task list', icon: ListChecks, key: 'Mod-Shift-9' },
  { name: 'table', label: 'Table', icon: Table, key: 'Mod-Alt-g' },
  { name: 'codeBlock', label: 'Block of code', icon: CodeXml, key: 'Mod-Alt-c' },
  { name: 'callOut', label: 'Call-out', icon: MessageSquareWarning, key: 'Mod-Alt-n' },
  { name: 'footnote', label: 'Footnote', icon: Superscript, key: 'Mod-Alt-f' },
  { name: 'formula', label: 'Formula', icon: Sigma, key: 'Mod-Alt-m' },
];

/** Such as `Ctrl+Alt+H`. */
export const keyLabel = (key: string): string =>
  key
    .replace('Mod', 'Ctrl')
    .replace(/-[a-z]$/, (end) => end.toUpperCase())
    .replaceAll('-', '+');
