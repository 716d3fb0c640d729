import type { EditorPartProps } from '#src/features/authoring/lesson-editor/lessons.ts';
import { FileField } from '#src/features/authoring/lesson-editor/FileField.tsx';

export function DocumentPart({ lesson, errors, onChange }: EditorPartProps) {
  return (
    <div className="grid gap-5 card px-4 py-5 sm:px-6">
      <FileField
        name="fileUrl"
        label="File URL"
        required
        hint="An uploaded file, or an https:// address."
        initial={lesson.fileUrl}
        error={errors.fileUrl}
        uploadLabel="Upload a file"
        accept=".pdf,.txt,.md,.csv,.zip,.docx,.xlsx,.pptx,image/png,image/jpeg"
        tellsUpload
        onChange={() => onChange()}
      />
    </div>
  );
}
