import { FileOutput } from 'lucide-react';
import { useState } from 'react';
import type { z } from 'zod';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Menu, MenuItem } from '#src/components/Menu.tsx';
import type { Question } from '#src/features/lessons/types/quiz/question.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { EXPORT_FORMATS, type ExportFormat, exportQuestionsCall } from './schema.ts';

export const EXPORT_LABELS: Record<ExportFormat, string> = {
  gift: 'GIFT (Moodle)',
  moodle: 'Moodle XML',
  qti21: 'QTI 2.1 package',
  qti3: 'QTI 3 package',
};

/** Exports a quiz's questions as the form has them, and says what the file lacks. */
export function ExportQuestions({ questions }: { questions: readonly Question[] }) {
  const [outcome, setOutcome] = useState<{ title: string; lines: string[]; isRefused: boolean } | null>(null);
  const [isBusy, setBusy] = useState(false);

  const take = async (format: ExportFormat) => {
    setBusy(true);
    setOutcome(null);
    try {
      const file = await call(exportQuestionsCall, {
        input: { format, questions: [...questions] },
      });
      saveFile(file);
      const { left } = file;
      if (left.length > 0) setOutcome({ title: 'The file lacks', lines: left, isRefused: false });
    } catch (error) {
      const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
      const lines = fields.map(([path, message]) => {
        const [, index] = /^questions\.(\d+)/.exec(path) ?? [];
        return index === undefined ? message : `Question ${Number(index) + 1}: ${message}`;
      });
      setOutcome({
        title: 'No file was made',
        lines: lines.length > 0 ? lines : [messageOf(error, 'Please try again.')],
        isRefused: true,
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button variant="secondary" loading={isBusy}>
            <FileOutput aria-hidden="true" /> Export questions
          </Button>
        }
      >
        {EXPORT_FORMATS.map((format) => (
          <MenuItem key={format} onSelect={() => void take(format)}>
            {EXPORT_LABELS[format]}
          </MenuItem>
        ))}
      </Menu>
      {outcome && (
        <div className="w-full">
          <Alert tone={outcome.isRefused ? 'danger' : 'warning'} title={outcome.title} live>
            <ul>
              {outcome.lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Alert>
        </div>
      )}
    </>
  );
}

/** Hands a file in an answer to the browser's downloads. */
export function saveFile({ name, mediaType, base64 }: z.output<typeof exportQuestionsCall.output>): void {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const blob = new Blob([bytes], { type: mediaType });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
