import { useRef } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import { MarkdownEditor } from '#src/features/authoring/text-editor/MarkdownEditor.tsx';
import { useSaveKey } from '#src/features/authoring/text-editor/use-save-key.ts';
import { LibraryCourse } from '#src/features/authoring/media/PictureLibrary.tsx';
import { call } from '#src/shared/api.ts';
import { changeNewsCall, NEWS_MAX, newsInput, writeNewsCall } from './schema.ts';

/** Writes a draft, new (`draft` null) or changed. */
export function NewsEditor({
  courseId,
  draft,
  html,
}: {
  courseId: number;
  draft: { id: number; title: string; body: string; version: number } | null;
  html: string;
}) {
  const back = `/admin/courses/${courseId}/news`;
  const saved = useRef<{ id: number; version: number } | null>(draft);
  const form = useForm(
    newsInput,
    async (input) => {
      const stays = isByKey();
      const { id, version } = saved.current ?? {};
      saved.current = await (id !== undefined && version !== undefined
        ? call(changeNewsCall, { params: { id }, input: { ...input, version } })
        : call(writeNewsCall, { params: { id: courseId }, input }));
      if (stays) history.replaceState(null, '', `${back}?write=${saved.current.id}`);
      (stays ? toast : toastOnNextPage)({
        title: 'Draft saved',
        description: 'Nobody else sees it until you send it.',
      });
      if (stays) return;
      location.assign(back);
      // The form stays busy until the page is left.
      await new Promise(() => {});
    },
    'The draft could not be saved. Please try again.',
  );
  const isByKey = useSaveKey(form.ref);
  return (
    <Form form={form} className="grid gap-6">
      <Field label="Title" required hint="The subject of the mail." error={form.errors.title}>
        <Input name="title" autoComplete="off" maxLength={NEWS_MAX.title} defaultValue={draft?.title} />
      </Field>
      <LibraryCourse.Provider value={courseId}>
        <MarkdownEditor
          name="body"
          label="Text"
          hint="Markdown. The mail has it without pictures, and a link to the course; a saved draft shows it under “See the mail”."
          initial={draft?.body ?? ''}
          initialHtml={html}
          required
          maxLength={NEWS_MAX.body}
          error={form.errors.body}
        />
      </LibraryCourse.Provider>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={form.sending}>
          Save draft
        </Button>
        <Button href={back} variant="secondary">
          Cancel
        </Button>
      </div>
    </Form>
  );
}
