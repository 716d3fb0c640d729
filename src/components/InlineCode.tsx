import { Fragment } from 'react';

/** Only `backticks` have a meaning. */
export function InlineCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
      <code key={index} className="inline-code">
        {part}
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
