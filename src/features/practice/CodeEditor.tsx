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
import { useSeen } from './editor/use-seen.ts';
import { type EditorHandle, type EditorHostProps, hasMouse } from './editor-host.ts';
import { type CodingLanguage, languageLabel } from '#src/features/lessons/types/coding/languages.ts';

interface Props {
  ref: Ref<EditorHandle>;
  language: CodingLanguage;
  label?: string;
  initialCode: string;
  describedBy: string;
  invalid: boolean;
  isLight?: boolean;
  onChange: (code: string) => void;
  onRun: () => void;
  onWriting?: () => void;
}

// The server's bundle must not hold the editors: the browser would lack their styles.
const loadHost = import.meta.env.SSR
  ? null
  : async (language: CodingLanguage, isLight: boolean) => {
      if (!hasMouse() || isLight) {
        return { Host: (await import('./editor/CodeMirrorHost.tsx')).CodeMirrorHost, isSmall: true };
      }
      const { MonacoHost, knowTypes } = await import('./editor/MonacoHost.tsx');
      // What an editor can do is settled when it is made.
      if (language === 'typescript') await knowTypes();
      return { Host: MonacoHost, isSmall: false };
    };

/** A plain text field until a script has loaded an editor that fits the screen. */
export function CodeEditor({
  ref,
  language,
  label = `${languageLabel(language)} code`,
  initialCode,
  describedBy,
  invalid,
  isLight = false,
  onChange,
  onRun,
  onWriting,
}: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const loaded = useRef<EditorHandle | null>(null);
  const marked = useRef<Parameters<EditorHandle['mark']>>([[], null]);
  const [editor, setEditor] = useState<{ Host: ComponentType<EditorHostProps>; isSmall: boolean } | null>(
    null,
  );
  const [ready, setReady] = useState(false);
  const hintId = useId();

  const isSeen = useSeen(field);

  useEffect(() => {
    if (!isSeen) return;
    let gone = false;
    // Without it the text field stays, and does everything that is needed.
    loadHost?.(language, isLight).then(
      (found) => gone || setEditor(found),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [language, isLight, isSeen]);

  useImperativeHandle(ref, () => ({
    value: () => loaded.current?.value() ?? field.current?.value ?? '',
    replace: (code) => {
      if (loaded.current) loaded.current.replace(code);
      else if (field.current) {
        field.current.value = code;
        onChange(code);
      }
    },
    mark: (...marks) => {
      marked.current = marks;
      loaded.current?.mark(...marks);
    },
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
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to what is in it
    <div className="relative min-h-0 flex-1" onFocus={editor?.isSmall ? onWriting : undefined}>
      {editor && (
        <editor.Host
          language={language}
          label={`${label}. Press Escape, then Tab, to leave the editor.`}
          describedBy={describedBy}
          invalid={invalid}
          takeOver={() => ({
            code: field.current?.value ?? '',
            offset: field.current?.selectionStart ?? 0,
            focused: document.activeElement === field.current,
          })}
          onReady={(handle) => {
            loaded.current = handle;
            handle.mark(...marked.current);
            setReady(true);
            onChange(handle.value());
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
