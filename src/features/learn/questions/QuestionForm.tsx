import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { call } from '#src/shared/api.ts';
import { draftOf } from '#src/shared/drafts.ts';
import { QuestionTextForm } from './QuestionTextForm.tsx';
import { askQuestionCall, type QuestionModel, QUOTE_MAX } from './schema.ts';

/** The whole lesson by default. */
export interface About {
  line?: number;
  quote?: string;
  attempt?: { submissionId: number; number: number };
}

const cut = (text: string) => text.slice(0, QUOTE_MAX).toWellFormed();

export function QuestionForm({
  lessonId,
  userId,
  about: given,
  onAsked,
  onCancel,
}: {
  lessonId: number;
  userId: number;
  about: About;
  onAsked: (question: QuestionModel) => void;
  onCancel: () => void;
}) {
  const [about, setAbout] = useState(given);
  const [shared, setShared] = useState(false);
  useEffect(() => setAbout(given), [given]);
  const { line, quote = '', attempt } = about;

  return (
    <QuestionTextForm
      label="Your question"
      hint="The course’s team reads it. You can use Markdown, such as `code`."
      draft={draftOf('question', userId, lessonId)}
      confirmLabel="Ask the team"
      focusOn={given}
      onCancel={onCancel}
      send={async (body, key) => {
        const question = await call(askQuestionCall, {
          params: { id: lessonId },
          input: {
            key,
            body,
            line: line ?? null,
            quote: cut(quote),
            submissionId: attempt?.submissionId ?? null,
            shared,
          },
        });
        onAsked(question);
      }}
    >
      {line || attempt ? (
        <div className="flex items-start justify-between gap-3 rounded-md bg-sunken px-4 py-2.5 text-sm">
          <p className="min-w-0 py-1.5 break-words">
            About {attempt ? `your attempt ${attempt.number}, with its program` : `line ${line}`}
            {quote.trim() && (
              <>
                : <code className="font-mono">{cut(quote).trim()}</code>
              </>
            )}
          </p>
          <Button
            size="icon-sm"
            variant="ghost"
            aria-label="Ask about the lesson instead"
            title="Ask about the lesson instead"
            onClick={() => setAbout({})}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ) : (
        <Field label="The line it is about" optional>
          <Input
            value={quote}
            maxLength={QUOTE_MAX}
            onChange={(event) => setAbout({ quote: event.target.value })}
          />
        </Field>
      )}
      <Checkbox
        checked={shared}
        onCheckedChange={(checked) => setShared(checked === true)}
        label="Others who take this lesson may read it"
        hint="Without your name and your program, and only if the team agrees."
      />
    </QuestionTextForm>
  );
}
