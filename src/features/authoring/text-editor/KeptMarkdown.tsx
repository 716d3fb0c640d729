import { useState } from 'react';
import { MarkdownEditor } from './MarkdownEditor.tsx';

/** Edits a short text whose value the caller holds and may replace. */
export function KeptMarkdown({
  value,
  onChange,
  ...field
}: Omit<React.ComponentProps<typeof MarkdownEditor>, 'initial' | 'initialHtml' | 'short' | 'onText'> & {
  value: string;
  onChange: (text: string) => void;
}) {
  const [own, setOwn] = useState({ typed: value, begun: value, edition: 0 });
  if (value !== own.typed) setOwn({ typed: value, begun: value, edition: own.edition + 1 });
  return (
    <MarkdownEditor
      key={own.edition}
      {...field}
      short
      initial={own.begun}
      initialHtml={null}
      onText={(typed) => {
        if (typed === own.typed) return;
        setOwn({ ...own, typed });
        onChange(typed);
      }}
    />
  );
}
