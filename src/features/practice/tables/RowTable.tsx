import { CircleMinus, CirclePlus } from 'lucide-react';
import { counted } from '#src/shared/counted.ts';

interface Props {
  caption: string;
  columns: { name: string; type: string }[];
  /** `marks`: places of differing cells; `differs`: the whole row. */
  rows: { cells: (string | null)[]; marks?: number[]; differs?: 'missing' | 'extra' | null }[];
  /** `true` where it is unknown how many. */
  more?: number | true;
}

const SAID = { missing: 'missing', extra: 'too much' };

export function RowTable({ caption, columns, rows, more = 0 }: Props) {
  const note =
    more === true
      ? 'There are more rows.'
      : more > 0
        ? `And ${counted(more, 'more row')}.`
        : rows.length === 0
          ? 'No rows.'
          : '';
  const hasMarks = rows.some(({ differs }) => differs);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={`Rows: ${caption}`}
      className="relative max-w-full overflow-x-auto"
    >
      <table className="w-full border-collapse text-left text-sm">
        <caption className="pb-1 text-left font-semibold">{caption}</caption>
        <thead>
          <tr>
            {hasMarks && (
              <th scope="col" className="border-b border-line px-2 py-1">
                <span className="sr-only">Difference</span>
              </th>
            )}
            {columns.map(({ name, type }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
              <th key={at} scope="col" className="border-b border-line px-2 py-1 font-mono font-semibold">
                {name}
                {type && <span className="block text-xs font-normal text-ink-soft">{type}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, marks = [], differs = null }, at) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no names and never move
              key={at}
              className={differs ? (differs === 'missing' ? 'bg-warning-soft' : 'bg-danger-soft') : ''}
            >
              {hasMarks && (
                <td className="border-b border-line px-2 py-1 text-xs whitespace-nowrap">
                  {differs && (
                    <span
                      className={`inline-flex items-center gap-1 ${differs === 'missing' ? 'text-warning' : 'text-danger'}`}
                    >
                      {differs === 'missing' ? (
                        <CircleMinus aria-hidden="true" className="size-3.5" />
                      ) : (
                        <CirclePlus aria-hidden="true" className="size-3.5" />
                      )}
                      {SAID[differs]}
                    </span>
                  )}
                </td>
              )}
              {cells.map((value, cell) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                  key={cell}
                  className="border-b border-line px-2 py-1 font-mono break-words whitespace-pre-wrap"
                >
                  {marks.includes(cell) ? (
                    <mark className="font-semibold">{shown(value)}</mark>
                  ) : (
                    shown(value)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {note && <p className="mt-1 text-sm text-ink-soft">{note}</p>}
    </div>
  );
}

const shown = (value: string | null) =>
  value === null ? <span className="text-ink-soft">NULL</span> : value;
