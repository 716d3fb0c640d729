import { useCallback, useEffect, useRef, useState } from 'react';
import { ErrorState } from '#src/components/ErrorState.tsx';
import { Skeleton } from '#src/components/Skeleton.tsx';
import { call, messageOf } from '#src/shared/api.ts';
import { ScrollBox } from '../ScrollBox.tsx';
import { lineAt, pictureOf } from './layout.ts';
import { RowTable } from './RowTable.tsx';
import { type LessonTable, lessonTablesCall } from './schema.ts';

interface Props {
  lessonId: number;
  text: string;
}

export function LessonTables({ lessonId, text }: Props) {
  const [state, setState] = useState<{ tables: LessonTable[] } | { error: string } | null>(null);
  const load = useCallback(async () => {
    setState(null);
    try {
      setState(await call(lessonTablesCall, { params: { id: lessonId } }));
    } catch (error) {
      setState({ error: messageOf(error, 'The tables of this lesson cannot be shown at the moment.') });
    }
  }, [lessonId]);
  useEffect(() => void load(), [load]);
  return (
    <div className="grid grid-cols-1 gap-4 border-t border-line px-4 py-3">
      {state === null ? (
        <div role="status" aria-label="Loading the tables">
          <Skeleton className="h-14" />
        </div>
      ) : 'error' in state ? (
        <ErrorState title={state.error} onRetry={() => void load()} />
      ) : (
        <>
          {state.tables.length > 1 && <Schema tables={state.tables} />}
          {state.tables.map((table) => (
            <RowTable
              key={table.name}
              caption={table.name}
              columns={table.columns}
              rows={table.rows.map((cells) => ({ cells }))}
              more={table.hasMore ? true : 0}
            />
          ))}
        </>
      )}
      <details>
        <summary className="min-h-11 py-2.5 text-sm font-semibold">The statements that make them</summary>
        <ScrollBox label="The statements that make the tables" className="overflow-x-auto">
          {text}
        </ScrollBox>
      </details>
    </div>
  );
}

/** Words below it say the same for who cannot see it. */
function Schema({ tables }: { tables: LessonTable[] }) {
  const { width, height, boxes, lines } = pictureOf(tables);
  const box = useRef<HTMLDivElement>(null);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const look = () => setCut(box.current!.scrollWidth > box.current!.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
      <div
        ref={box}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Picture of the tables"
        className="overflow-x-auto"
      >
        <svg
          role="img"
          aria-label={`Tables: ${tables.map(({ name }) => name).join(', ')}. ${lines.map(({ from, to }) => `${from} points at ${to}.`).join(' ')}`}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          className="max-w-none text-ink"
        >
          {lines.map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} fill="none" stroke="var(--color-accent)" strokeWidth="1.5" />
          ))}
          {boxes.map((box) => (
            <g key={box.table.name}>
              <rect
                x={box.x}
                y={box.y}
                width={box.width}
                height={box.height}
                rx="6"
                fill="var(--color-surface)"
                stroke="var(--color-line)"
              />
              <text x={box.x + 10} y={box.y + 20} fontSize="14" fontWeight="600" fill="currentColor">
                {box.table.name}
              </text>
              {box.table.columns.map(({ name, type, isKey, references }, at) => (
                <text
                  key={name}
                  x={box.x + 10}
                  y={lineAt(box, at) + 4}
                  fontSize="12"
                  fill="var(--color-ink-soft)"
                  className="font-mono"
                >
                  <tspan fill="currentColor" fontWeight={isKey ? 600 : 400}>
                    {name}
                  </tspan>{' '}
                  {shortType(type)}
                  {isKey && ' PK'}
                  {references && ' FK'}
                </text>
              ))}
            </g>
          ))}
        </svg>
      </div>
      {isCut && (
        <p className="text-sm text-ink-soft">
          The picture is wider than this box. Scroll it sideways to see the rest.
        </p>
      )}
    </>
  );
}

const shortType = (type: string) =>
  type.replace('character varying', 'varchar').replace(/timestamp with(?:out)? time zone/, 'timestamp');
