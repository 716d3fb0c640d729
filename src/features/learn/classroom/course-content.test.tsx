import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CourseContent } from './CourseContent.tsx';
import type { ViewerLesson } from './viewer-state.ts';

const lesson = (id: number, more: Partial<ViewerLesson> = {}): ViewerLesson => ({
  id,
  title: `Lesson ${id}`,
  section: '',
  type: 'text',
  duration: '15 min',
  points: 10,
  ...more,
});
const rows = (lessons: ViewerLesson[], done: number[] = []) =>
  renderToStaticMarkup(
    createElement(CourseContent, { courseId: 7, lessons, lessonId: lessons[0]!.id, done: new Set(done) }),
  );

describe('the rows of a list of lessons', () => {
  it('lead to the screen of an exercise at once, unless there is a change to tell first', () => {
    const exercise = lesson(4, { type: 'interactive_coding' });
    expect(rows([exercise])).toContain('href="/lesson/4"');
    expect(rows([{ ...exercise, changed: true }])).toContain('href="/learn/7?lesson=4"');
  });

  it('lead to their lessons, and one of them is where one is', () => {
    const html = rows([lesson(1), lesson(2)]);
    expect(html).toContain('href="/learn/7?lesson=1" aria-current="page"');
    expect(html).toContain('href="/learn/7?lesson=2" class=');
  });

  it('say in words what is done, and count it by section', () => {
    const html = rows(
      [lesson(1, { section: 'Basics' }), lesson(2, { section: 'Basics', optional: true })],
      [1],
    );
    expect(html).toContain('1/2<span class="sr-only"> lessons done</span>');
    expect(html).toContain('Text\u00a0· 15 min<span class="sr-only">, completed</span>');
    expect(html).toContain('Text\u00a0· 15 min\u00a0· optional<span class="sr-only">, not completed</span>');
  });

  it('say when open work is due', () => {
    const dueAt = '2027-01-31T23:59:59.999Z';
    const html = rows([lesson(1, { dueAt }), lesson(2, { dueAt })], [2]);
    expect(html.match(/15 min\u00a0· due Jan 31, 2027</g)).toHaveLength(1);
  });

  it('say which have changed since they were passed', () => {
    const html = rows([lesson(1, { changed: true }), lesson(2)], [1, 2]);
    expect(html.match(/Changed since you passed it/g)).toHaveLength(1);
    expect(html).toContain(
      'Text\u00a0· 15 min\u00a0· Changed since you passed it<span class="sr-only">, completed',
    );
  });
});
