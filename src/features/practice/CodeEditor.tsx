import {
  type ComponentType,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { Finding } from './lint.ts';
import type { LoadedEditor } from './MonacoHost.tsx';
import { type CodingLanguage, languageLabel } from './practice.ts';

type HostProps = Parameters<typeof import('./MonacoHost.tsx')['MonacoHost']>[0];

/** What the page does with the editor, whichever of the two is there. */
export interface EditorHandle {
  value: () => string;
  replace: (code: string) => void;
  mark: (findings: readonly Finding[], failing: Finding | null) => void;
  goTo: (line: number, column: number) => void;
  /** The line that the caret is in. */
  currentLine: () => { line: number; text: string };
}

interface Props {
  ref: Ref<EditorHandle>;
  language: CodingLanguage;
  /** Names the field where a page has several; otherwise the language does. */
  label?: string;
  initialCode: string;
  /** Id of the line that tells what is wrong with the program. */
  describedBy: string;
  invalid: boolean;
  onChange: (code: string) => void;
  onRun: () => void;
}

// The server's bundle must not hold the editor: its styles would count as the page's own and be left out of the browser's.
const loadHost = import.meta.env.SSR ? null : () => import('./MonacoHost.tsx');

/** From this width on the full editor is loaded; below it the text field is the better one. */
const WIDE = '(min-width: 48rem)';

/**
 * The program: a plain text field that works before any script has loaded and on small screens, replaced by the full
 * editor on larger ones as soon as the browser is idle. Both keep the program, the caret and the focus.
 */
export function CodeEditor({
  ref,
  language,
  label = `${languageLabel(language)} code`,
  initialCode,
  describedBy,
  invalid,
  onChange,
  onRun,
}: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const loaded = useRef<LoadedEditor | null>(null);
  const [Host, setHost] = useState<ComponentType<HostProps> | null>(null);
  const [initial, setInitial] = useState<HostProps['initial'] | null>(null);
  const [ready, setReady] = useState(false);
  const hintId = useId();

  useEffect(() => {
    let gone = false;
    const wide = matchMedia(WIDE);
    const load = async () => {
      try {
        if (!loadHost) return;
        const { MonacoHost } = await loadHost();
        const area = field.current;
        if (gone || !area) return;
        setInitial({
          code: area.value,
          offset: area.selectionStart,
          focused: document.activeElement === area,
        });
        setHost(() => MonacoHost);
      } catch {
        // Without it the text field stays, and does everything that is needed.
      }
    };
    const whenWide = () => {
      if (!wide.matches) return;
      wide.removeEventListener('change', whenWide);
      if ('requestIdleCallback' in window) requestIdleCallback(() => void load(), { timeout: 2000 });
      else setTimeout(() => void load(), 200);
    };
    wide.addEventListener('change', whenWide);
    whenWide();
    return () => {
      gone = true;
      wide.removeEventListener('change', whenWide);
    };
  }, []);

  useImperativeHandle(ref, () => ({
    value: () => loaded.current?.value() ?? field.current?.value ?? '',
    replace: (code) => {
      if (loaded.current) loaded.current.replace(code);
      else if (field.current) {
        field.current.value = code;
        onChange(code);
      }
    },
    mark: (findings, failing) => loaded.current?.mark(findings, failing),
    currentLine: () => {
      if (loaded.current) return loaded.current.currentLine();
      const { value = '', selectionStart = 0 } = field.current ?? {};
      const line = value.slice(0, selectionStart).split('\n').length;
      return { line, text: value.split('\n')[line - 1] ?? '' };
    },
    goTo: (line, column) => {
      if (loaded.current) {
        loaded.current.goTo(line, column);
        return;
      }
      const area = field.current;
      if (!area) return;
      const lines = area.value.split('\n');
      const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
      area.focus();
      area.setSelectionRange(start + column - 1, start + (lines[line - 1]?.length ?? 0));
      // The field has no way to bring a line into view but its own line height.
      area.scrollTop = Math.max(0, (line - 4) * 22);
    },
  }));

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onRun();
    }
  }

  return (
    <div className="relative min-h-0 flex-1">
      {Host && initial && (
        <Host
          language={language}
          label={`${label}. Press Escape, then Tab, to leave the editor.`}
          initial={initial}
          onReady={(editor) => {
            // What was typed while the editor was being made.
            const typed = field.current?.value;
            loaded.current = editor;
            if (typed !== undefined && typed !== editor.value()) editor.replace(typed);
            setReady(true);
            onChange(editor.value());
          }}
          onChange={onChange}
          onRun={onRun}
        />
      )}
      {!ready && (
        <>
          <label htmlFor={`${hintId}-code`} className="sr-only">
            {label}
          </label>
          <textarea
            ref={field}
            id={`${hintId}-code`}
            defaultValue={initialCode}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={onKeyDown}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            autoComplete="off"
            className="absolute inset-0 block size-full resize-none overflow-x-auto whitespace-pre bg-surface px-4 py-3 font-mono text-base leading-[22px] text-ink -outline-offset-2 md:text-sm md:leading-[22px]"
          />
        </>
      )}
    </div>
  );
}
