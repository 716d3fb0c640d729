import type { FieldDifference } from './changes.ts';

export function Differences({
  differences,
  heading: Heading,
  ofSecond,
}: {
  differences: readonly FieldDifference[];
  heading: 'h3' | 'h4';
  ofSecond: string;
}) {
  return (
    <div className="grid gap-6">
      {differences.map(({ label, hunks, after }) => (
        <div key={label}>
          <Heading className="text-subheading">{label}</Heading>
          {hunks === null && (
            <p className="mt-1 text-sm text-ink-soft">
              Too much is different to compare it line by line. {ofSecond} says:
            </p>
          )}
          <pre className="mt-2 card px-4 py-3 font-mono text-sm whitespace-pre-wrap break-words">
            {hunks === null
              ? after
              : hunks.map(({ lines }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they stay as they are
                  <span key={index}>
                    {index > 0 && <span className="text-ink-soft">{'⋯\n'}</span>}
                    {lines.map((line, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: they stay as they are
                      <Line key={at} line={line} />
                    ))}
                  </span>
                ))}
          </pre>
        </div>
      ))}
    </div>
  );
}

function Line({ line }: { line: string }) {
  const text = line.slice(1);
  if (line.startsWith('+')) {
    return <ins className="bg-success-soft text-success no-underline">{`+ ${text}\n`}</ins>;
  }
  if (line.startsWith('-')) {
    return <del className="bg-danger-soft text-danger no-underline">{`− ${text}\n`}</del>;
  }
  return <span>{`  ${text}\n`}</span>;
}
