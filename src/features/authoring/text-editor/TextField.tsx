import { ImagePlus } from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { type FormEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { classNames } from '#src/components/class-names.ts';
import { useFieldControl, useFieldLabelId } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { useLatest } from '#src/components/use-latest.ts';
import type { TextBox } from './code-mirror.ts';
import { fitted, pastedText } from './paste.ts';
import { keyLabel, type Tool, TOOLS } from './toolbar.ts';

// The editor needs a DOM.
const load = import.meta.env.SSR ? null : () => import('./code-mirror.ts');

const button = (
  { label, icon: Icon, key }: Pick<Tool, 'label' | 'icon'> & { key?: string },
  run: () => void,
) => (
  <Toolbar.Button
    key={label}
    type="button"
    aria-label={label}
    aria-keyshortcuts={key && keyLabel(key).replace('Ctrl', 'Control')}
    title={key ? `${label} (${keyLabel(key)})` : label}
    className="inline-flex size-11 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
    onClick={run}
  >
    <Icon aria-hidden="true" className="size-[1.125rem]" />
  </Toolbar.Button>
);

/** For other code, whichever of the two fields is there. */
export interface TextHandle {
  insert: (text: string, instead?: string) => void;
}

/** A plain text field that the editor replaces once loaded; it stays, hidden, as what the form sends. */
export function TextField({
  ref,
  name,
  initial,
  maxLength,
  short,
  onText,
  takeFiles,
  onPicture,
  onMove,
}: {
  ref: Ref<TextHandle>;
  name: string | undefined;
  initial: string;
  maxLength: number;
  short: boolean;
  onText: (text: string) => void;
  takeFiles: (data: DataTransfer) => boolean;
  onPicture: (() => void) | null;
  onMove: (share: number) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState<TextBox | null>(null);
  const labelId = useFieldLabelId();
  const control = useFieldControl<{
    id?: string;
    required?: boolean;
    'aria-describedby'?: string;
    'aria-invalid'?: boolean;
  }>({});
  const attributes = Object.fromEntries(
    Object.entries({
      role: 'textbox',
      tabindex: '0',
      'aria-multiline': 'true',
      'aria-labelledby': labelId,
      'aria-describedby': control['aria-describedby'],
      'aria-required': control.required && 'true',
      'aria-invalid': control['aria-invalid'] && 'true',
    }).filter(([, value]) => value),
  ) as Record<string, string>;
  const [told, setTold] = useState('');

  /** Pastes formatted text as Markdown; a picture only without words. */
  const paste = (data: DataTransfer, selected: number, isCode: boolean): boolean => {
    setTold('');
    const plain = data.getData('text/plain');
    const html = isCode ? '' : data.getData('text/html');
    // A copied file may have its name as text.
    const isFile = [...data.files].some(({ name }) => name === plain.trim());
    if ((!plain.trim() || isFile) && takeFiles(data)) return true;
    const room = maxLength - field.current!.value.length + selected;
    if (!html && plain.length <= room) return false;
    pastedText(html, plain, room, maxLength).then(
      ({ text, told }) => {
        setTold(told);
        if (text !== null) insertFitted(text);
      },
      () => plain.length <= room && insertFitted(plain),
    );
    return true;
  };
  const now = useLatest({ onText, takeFiles, paste, onMove, attributes });

  useEffect(() => {
    const element = field.current!;
    now.current.onText(element.value);
    let made: TextBox | null = null;
    let isGone = false;
    load?.().then(
      ({ mountTextBox }) => {
        if (isGone) return;
        made = mountTextBox(place.current!, element, now.current.attributes, {
          change(text) {
            element.value = text;
            element.dispatchEvent(new Event('input', { bubbles: true }));
          },
          paste: (...pasted) => now.current.paste(...pasted),
          drop: (data) => now.current.takeFiles(data),
          move: (share) => now.current.onMove(share),
        });
        // At once: later input into the hidden field would be lost.
        flushSync(() => setBox(made));
        // A label can only point to a form field.
        const label = now.current.attributes['aria-labelledby'];
        if (label) document.getElementById(label)?.removeAttribute('for');
      },
      () => {},
    );
    return () => {
      isGone = true;
      made?.destroy();
    };
  }, []);

  const described = JSON.stringify(attributes);
  useEffect(() => box?.describe(JSON.parse(described)), [box, described]);

  const insert = (text: string, instead = '') => {
    if (box) return box.insert(text, instead);
    field.current!.focus();
    const at = instead ? field.current!.value.indexOf(instead) : -1;
    if (at >= 0) field.current!.setSelectionRange(at, at + instead.length);
    // Unlike a new value, this can be undone.
    if (!document.execCommand('insertText', false, text)) {
      const { selectionStart, selectionEnd } = field.current!;
      field.current!.setRangeText(text, selectionStart, selectionEnd, 'end');
      field.current!.dispatchEvent(new Event('input', { bubbles: true }));
    }
  };
  useImperativeHandle(ref, () => ({ insert }));
  const latest = useLatest({ box, insert });
  const insertFitted = (text: string) => {
    const { box, insert } = latest.current;
    if (box) return box.insertFitted(text);
    const { value, selectionStart, selectionEnd } = field.current!;
    insert(fitted(text, value.slice(0, selectionStart), value.slice(selectionEnd)));
  };

  return (
    <div className="relative">
      {/* Above, so that the preview stays beside the text. */}
      <p role="alert" className="mb-1.5 text-sm font-medium text-danger empty:hidden">
        {told}
      </p>
      {box && (
        <Toolbar.Root
          aria-label="Markdown"
          className="mb-1.5 flex flex-wrap rounded-md border border-line bg-surface p-1 sm:flex-nowrap"
        >
          {TOOLS.map((tool) => button(tool, () => box.run(tool.name)))}
          {onPicture && button({ label: 'Picture', icon: ImagePlus }, onPicture)}
        </Toolbar.Root>
      )}
      <div
        ref={place}
        className={classNames(
          box && 'rounded-md border bg-surface focus-within:outline-2 focus-within:outline-offset-2',
          box && 'overflow-hidden focus-within:outline-(--focus-ring,var(--color-accent))',
          box && (control['aria-invalid'] ? 'border-danger' : 'border-line-strong'),
          box && (short ? 'h-44' : 'h-96 lg:h-[30rem]'),
        )}
      />
      <Textarea
        ref={field}
        name={name}
        rows={short ? 6 : 18}
        defaultValue={initial}
        maxLength={maxLength}
        onInput={({ currentTarget: { value } }: FormEvent<HTMLTextAreaElement>) => {
          // A browser may still fill in the hidden field.
          box?.write(value);
          onText(value);
        }}
        onPaste={(event) => {
          const { selectionStart, selectionEnd } = event.currentTarget;
          if (paste(event.clipboardData, selectionEnd - selectionStart, false)) event.preventDefault();
        }}
        onDrop={(event) => {
          if (takeFiles(event.dataTransfer)) event.preventDefault();
        }}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          onMove(scrollTop / Math.max(1, scrollHeight - clientHeight))
        }
        spellCheck
        {...(box
          ? {
              // A link or the browser may still focus it.
              id: `${control.id}-sent`,
              tabIndex: -1,
              'aria-hidden': true,
              'aria-invalid': false,
              onFocus: () => box.focus(),
              className: 'sr-only!',
            }
          : {
              className: classNames(
                'font-mono text-[0.875rem]! leading-relaxed',
                short ? 'lg:h-44' : 'min-h-64 lg:h-[30rem]',
              ),
            })}
      />
    </div>
  );
}
