import { MessageCircleQuestionMark } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { ErrorState } from '#src/components/ErrorState.tsx';
import { Skeleton } from '#src/components/Skeleton.tsx';
import { call, messageOf } from '#src/shared/api.ts';
import { QuestionCard } from './QuestionCard.tsx';
import { type About, QuestionForm } from './QuestionForm.tsx';
import { listQuestionsCall, type QuestionModel } from './schema.ts';

type Listed = { own: QuestionModel[]; shared: QuestionModel[]; more: string | null; mayAsk: boolean };

const LESSON: About = {};
const NAMED_PARTS_MAX = 5;

/** A question that moved meanwhile is listed once. */
function joined(before: Listed, next: Listed): Listed {
  const add = (all: QuestionModel[], more: QuestionModel[]) => [
    ...all,
    ...more.filter(({ id }) => !all.some((one) => one.id === id)),
  ];
  return { ...next, own: add(before.own, next.own), shared: add(before.shared, next.shared) };
}

export function QuestionsPanel({
  lessonId,
  userId,
  about = null,
  className = '',
}: {
  lessonId: number;
  /** Null for visitors of a preview lesson. */
  userId: number | null;
  about?: About | null;
  className?: string;
}) {
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [listed, setListed] = useState<Listed | { error: string } | null>(null);
  const [asking, setAsking] = useState<About | null>(null);
  const [said, setSaid] = useState('');
  const [isLoadingMore, setIsLoadingMore] = useState(false);

  const load = useCallback(async () => {
    setListed(null);
    try {
      const params = { id: lessonId };
      let all: Listed = await call(listQuestionsCall, { params });
      // A mail may link to a question beyond the first part.
      const isNamed = ({ id }: QuestionModel) => location.hash === `#question-${id}`;
      for (let parts = 1; parts < NAMED_PARTS_MAX && all.more !== null; parts += 1) {
        if (!location.hash.startsWith('#question-') || [...all.own, ...all.shared].some(isNamed)) break;
        all = joined(all, await call(listQuestionsCall, { params, query: { after: all.more } }));
      }
      setListed(all);
    } catch (error) {
      setListed({ error: messageOf(error, 'The questions could not be loaded.') });
    }
  }, [lessonId]);

  const loadMore = async (after: string) => {
    setIsLoadingMore(true);
    try {
      const next = await call(listQuestionsCall, { params: { id: lessonId }, query: { after } });
      setListed((before) => (before && 'own' in before ? joined(before, next) : before));
      // The button may be gone: the focus goes to the first new question.
      const first = next.own[0] ?? next.shared[0];
      if (first) requestAnimationFrame(() => document.getElementById(`question-${first.id}`)?.focus());
    } catch (error) {
      setSaid(messageOf(error, 'More questions could not be loaded. Please try again.'));
    } finally {
      setIsLoadingMore(false);
    }
  };

  // Loaded when it comes near or a mail links to it: most readers never look.
  useEffect(() => {
    const element = section.current;
    if (!element) return;
    if (location.hash.startsWith('#question-')) {
      void load();
      return;
    }
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        watcher.disconnect();
        void load();
      },
      { rootMargin: '200px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [load]);

  useEffect(() => {
    if (about) setAsking(about);
  }, [about]);

  const list = listed && 'own' in listed ? listed : null;
  const isThere = list !== null;
  useEffect(() => {
    if (!isThere || !location.hash.startsWith('#question-')) return;
    const named = document.getElementById(location.hash.slice(1));
    named?.scrollIntoView({ block: 'center' });
    named?.focus({ preventScroll: true });
  }, [isThere]);

  const change = (question: QuestionModel, now: string) => {
    const put = (all: QuestionModel[]) => all.map((one) => (one.id === question.id ? question : one));
    setListed((before) =>
      before && 'own' in before ? { ...before, own: put(before.own), shared: put(before.shared) } : before,
    );
    setSaid(now);
  };
  const asked = (question: QuestionModel) => {
    setAsking(null);
    setListed((before) =>
      before && 'own' in before
        ? { ...before, own: [question, ...before.own.filter(({ id }) => id !== question.id)] }
        : before,
    );
    setSaid('The team has your question. You find the answer here, and get it by mail.');
    heading.current?.focus();
  };
  const remove = (id: number) => {
    setListed((before) =>
      before && 'own' in before ? { ...before, own: before.own.filter((one) => one.id !== id) } : before,
    );
    setSaid('Your question is gone.');
    heading.current?.focus();
  };

  const mayAsk = userId !== null && (list?.mayAsk ?? asking !== null);
  const isEmpty = list !== null && list.own.length + list.shared.length === 0;
  // No heading without a list or a form.
  const isIdle = userId === null ? !list || isEmpty : isEmpty && !mayAsk;
  return (
    <section ref={section} aria-labelledby={isIdle ? undefined : 'questions-heading'} className={className}>
      {!isIdle && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 ref={heading} id="questions-heading" tabIndex={-1} className="text-subheading">
            Questions
          </h2>
          {mayAsk && !asking && (
            <Button size="sm" variant="secondary" onClick={() => setAsking({ ...LESSON })}>
              <MessageCircleQuestionMark aria-hidden="true" />
              Ask a question
            </Button>
          )}
        </div>
      )}
      <p role="status" className="mt-2 text-sm text-ink-soft empty:hidden">
        {said}
      </p>
      {asking && userId !== null && mayAsk && (
        <div className="mt-4 card p-4 sm:p-5">
          <QuestionForm
            lessonId={lessonId}
            userId={userId}
            about={asking}
            onAsked={asked}
            onCancel={() => {
              setAsking(null);
              heading.current?.focus();
            }}
          />
        </div>
      )}
      {listed && 'error' in listed ? (
        <ErrorState title={listed.error} level={3} onRetry={() => void load()} className="mt-4" />
      ) : !list ? (
        userId !== null && (
          <div role="status" aria-label="Loading the questions" className="mt-4">
            <Skeleton className="h-20" />
          </div>
        )
      ) : isEmpty ? (
        mayAsk &&
        !asking && (
          <p className="mt-3 text-ink-soft">
            Nobody has asked here yet. What you ask is between you and the team.
          </p>
        )
      ) : (
        <div className="mt-4 flex flex-col gap-4">
          {[...list.own, ...list.shared].map((question) => (
            <QuestionCard
              key={question.id}
              question={question}
              onChange={change}
              onDelete={() => remove(question.id)}
            />
          ))}
          {list.more !== null && (
            <Button
              variant="secondary"
              className="self-start"
              loading={isLoadingMore}
              onClick={() => void loadMore(list.more!)}
            >
              Show more
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
