import { type RefObject, useState } from 'react';
import { NotesPanel } from '#src/features/learn/notes/NotesPanel.tsx';
import { AskAboutSelection } from '#src/features/learn/questions/AskAboutSelection.tsx';
import type { About } from '#src/features/learn/questions/QuestionForm.tsx';
import { QuestionsPanel } from '#src/features/learn/questions/QuestionsPanel.tsx';

/**
 * @param within id of the element whose selected text can be asked about
 * @param video of lessons with one
 */
export function BesideLesson({
  lessonId,
  courseId,
  userId,
  notes,
  within,
  video = null,
}: {
  lessonId: number;
  courseId: number;
  userId: number;
  notes: { text: string; version: number };
  within: string;
  video?: RefObject<HTMLVideoElement | null> | null;
}) {
  const [about, setAbout] = useState<About | null>(null);
  return (
    <>
      <NotesPanel {...{ lessonId, courseId, userId, video }} initial={notes} />
      <QuestionsPanel
        lessonId={lessonId}
        userId={userId}
        about={about}
        className="mt-12 border-t border-line pt-8"
      />
      <AskAboutSelection within={within} onAsk={(quote) => setAbout({ quote })} />
    </>
  );
}
