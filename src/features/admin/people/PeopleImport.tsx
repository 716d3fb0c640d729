import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { ApiError, messageOf } from '#src/shared/api.ts';
import { upload } from '#src/shared/upload.ts';
import { counted } from '#src/shared/counted.ts';
import { IMPORT_MAX_BYTES, type ImportReport, type ImportRow, importPeopleCall } from './schema.ts';
import { REASON_MAX } from '#src/shared/fields.ts';

const ACCESS_WORDS: Record<ImportRow['access'], string> = {
  given: 'gets access',
  'given-again': 'gets access again',
  'had-it': 'has access already',
  none: '',
};

/** What a row does, or did, in words. */
function rowWords({ user, access }: ImportRow): string {
  const account = user === 'new' ? 'New account' : 'Account exists';
  return access === 'none' ? account : `${account}, ${ACCESS_WORDS[access]}`;
}

/** Checks a CSV file of people row by row, and applies it after that. */
export function PeopleImport() {
  const [file, setFile] = useState<File | null>(null);
  const [working, setWorking] = useState<'check' | 'apply' | null>(null);
  const [problem, setProblem] = useState('');
  const [report, setReport] = useState<ImportReport | null>(null);
  const [reason, setReason] = useState('');
  const result = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (report) result.current?.focus();
  }, [report]);

  /** Checks the file; with `skipErrors`, which says whether wrong rows are left out, imports it. */
  const send = async (skipErrors?: boolean) => {
    const mode = skipErrors === undefined ? 'check' : 'apply';
    if (!file) return setProblem('Choose a file');
    if (file.size > IMPORT_MAX_BYTES) {
      return setProblem(`The file must not be larger than ${Math.floor(IMPORT_MAX_BYTES / 1_048_576)} MB.`);
    }
    const form = new FormData();
    form.append('mode', mode);
    if (mode === 'apply') {
      form.append('sha256', report?.sha256 ?? '');
      form.append('reason', reason);
      form.append('skipErrors', skipErrors ? 'yes' : 'no');
    }
    form.append('file', file);
    setProblem('');
    setWorking(mode);
    try {
      setReport(await upload(importPeopleCall, { form }));
    } catch (error) {
      const named = error instanceof ApiError ? Object.values(error.fields)[0] : undefined;
      setProblem(
        named ??
          (error instanceof ApiError
            ? messageOf(error, 'The file could not be read. Please try again.')
            : // A browser reads the file again when it is sent, and one that was saved meanwhile is another one.
              'The file could not be sent. If it was changed after you chose it, choose it again.'),
      );
      if (mode === 'check') setReport(null);
    } finally {
      setWorking(null);
    }
  };

  const checked = report?.mode === 'check' ? report : null;
  return (
    <div>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!working) void send();
        }}
        className="flex flex-wrap items-start gap-4"
      >
        <div className="min-w-0 flex-1 basis-80">
          <Field label="CSV file" hint="At most 2 MB and 2,000 rows." error={problem} required>
            <Input
              type="file"
              name="file"
              accept=".csv,text/csv"
              className="py-2 file:mr-4 file:font-semibold"
              onChange={(event) => {
                setFile(event.currentTarget.files?.[0] ?? null);
                setReport(null);
                setProblem('');
              }}
            />
          </Field>
        </div>
        <Button type="submit" className="sm:mt-[3.375rem]" loading={working === 'check'}>
          Check the file
        </Button>
      </form>

      {report && (
        <section aria-labelledby="import-result" className="mt-10">
          <h2 ref={result} id="import-result" tabIndex={-1} className="text-heading outline-none">
            {report.mode === 'apply' ? 'The list is imported' : 'What would happen'}
          </h2>
          <p className="mt-1 text-ink-soft">{report.message}</p>
          <dl className="mt-4 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
            {(
              [
                ['Rows', report.counts.rows],
                ['New accounts', report.counts.newUsers],
                ['Existing accounts', report.counts.existingUsers],
                ['Enrollments', report.counts.given],
                ['Wrong rows', report.counts.wrongRows],
              ] as const
            ).map(([label, value]) => (
              <div key={label} className="rounded-lg border border-line bg-surface p-4">
                <dt className="text-sm text-ink-soft">{label}</dt>
                <dd className="text-xl font-semibold tabular-nums">{value.toLocaleString('en-US')}</dd>
              </div>
            ))}
          </dl>

          {checked && (
            <ApplyForm
              report={checked}
              reason={reason}
              onReason={setReason}
              working={working}
              onApply={(skipErrors) => void send(skipErrors)}
            />
          )}

          <h3 className="mt-8 text-subheading">Row by row</h3>
          <ol
            aria-label="Rows of the file"
            className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface"
          >
            {report.rows.map((row) => (
              <li
                key={row.line}
                className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 px-5 py-3 sm:px-6 lg:grid-cols-[4.5rem_minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.2fr)]"
              >
                <p className="text-ink-soft tabular-nums">Row {row.line}</p>
                <p className="min-w-0 break-words">
                  <span className="font-semibold">{row.email || '(no email)'}</span>
                  {row.name && <span className="block text-sm text-ink-soft">{row.name}</span>}
                </p>
                <p className="min-w-0 break-words max-lg:col-start-2">{row.course}</p>
                <div className="min-w-0 max-lg:col-start-2">
                  {row.errors.length === 0 ? (
                    <p className="flex items-start gap-2 text-ink-soft">
                      <CircleCheck aria-hidden="true" className="mt-1 size-4 shrink-0 text-success" />
                      {rowWords(row)}
                    </p>
                  ) : (
                    <ul className="space-y-1">
                      {row.errors.map(({ column, message }) => (
                        <li key={`${column}${message}`} className="flex items-start gap-2 text-danger">
                          <TriangleAlert aria-hidden="true" className="mt-1 size-4 shrink-0" />
                          <span className="min-w-0 break-words">
                            <Badge tone="danger">{column}</Badge> {message}
                          </span>
                        </li>
                      ))}
                    </ul>
                  )}
                </div>
              </li>
            ))}
          </ol>
          {report.rowsLeftOut > 0 && (
            <p className="mt-3 text-ink-soft">{counted(report.rowsLeftOut, 'more row')} not shown.</p>
          )}
        </section>
      )}
    </div>
  );
}

/** Asks why a checked list is imported, and whether without its wrong rows. */
function ApplyForm({
  report,
  reason,
  onReason,
  working,
  onApply,
}: {
  report: ImportReport;
  /** Kept by the page, so that another file does not lose it. */
  reason: string;
  onReason: (reason: string) => void;
  working: 'check' | 'apply' | null;
  onApply: (skipErrors: boolean) => void;
}) {
  const [reasonError, setReasonError] = useState('');
  const [skipErrors, setSkipErrors] = useState(false);
  const wrong = report.counts.wrongRows;
  return (
    <form
      noValidate
      className="mt-6 rounded-lg border border-line bg-surface p-5 sm:p-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (working) return;
        if (reason.trim()) onApply(skipErrors);
        else setReasonError('Reason is required');
      }}
    >
      {wrong > 0 && (
        <Alert tone="warning" title={`${counted(wrong, 'row is', 'rows are')} wrong`} className="mb-5">
          They are named below. Mend the file and check it again, or leave them out.
          <div className="mt-3">
            <Checkbox
              label={`Leave out ${counted(wrong, 'wrong row')}`}
              checked={skipErrors}
              onCheckedChange={(on) => setSkipErrors(on === true)}
            />
          </div>
        </Alert>
      )}
      <Field
        label="Reason"
        hint="Kept in the audit log with every account and enrollment of this list."
        error={reasonError}
        required
      >
        <Input
          name="reason"
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => {
            onReason(event.target.value);
            setReasonError('');
          }}
        />
      </Field>
      <p className="mt-3 text-sm text-ink-soft">
        {report.counts.newUsers > 0
          ? `${counted(report.counts.newUsers, 'person gets', 'people get')} a mail with a link to choose a password.`
          : 'Nobody gets a mail.'}{' '}
        Importing the same list again changes nothing.
      </p>
      <Button
        type="submit"
        className="mt-4"
        loading={working === 'apply'}
        disabled={report.counts.rows === wrong || (wrong > 0 && !skipErrors)}
      >
        Import {counted(report.counts.rows - wrong, 'row')}
      </Button>
    </form>
  );
}
