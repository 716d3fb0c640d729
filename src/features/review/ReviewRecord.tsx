import type { ReviewRange } from './schema.ts';

const EXPECTED: Record<number, string> = {
  90: '90% and more',
  80: '80 to 90%',
  60: '60 to 80%',
  0: 'under 60%',
};

export function ReviewRecord({ recall }: { recall: readonly ReviewRange[] }) {
  if (recall.length === 0) return null;
  return (
    <section aria-labelledby="record-heading" className="mt-14">
      <h2 id="record-heading" className="text-subheading">
        How well you remember
      </h2>
      <p className="mt-1 text-ink-soft">What was expected of you in the last half year, and what you knew.</p>
      <table className="mt-4 w-full border-collapse text-left tabular-nums">
        <thead className="text-sm text-ink-soft">
          <tr>
            {['Expected', 'Reviews', 'Average', 'You knew'].map((label, index) => (
              <th
                key={label}
                scope="col"
                className={`border-b border-line py-2 font-medium ${index > 0 ? 'text-right' : ''}`}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {recall.map(({ from, answers, predicted, recalled }) => (
            <tr key={from}>
              <th scope="row" className="border-b border-line py-2 font-normal">
                {EXPECTED[from]}
              </th>
              <td className="border-b border-line py-2 text-right">{answers}</td>
              <td className="border-b border-line py-2 text-right">{predicted}%</td>
              <td className="border-b border-line py-2 text-right font-semibold">{recalled}%</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
