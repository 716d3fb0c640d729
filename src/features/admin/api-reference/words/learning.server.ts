import type { Words } from './words.server.ts';

export const learning: Words = {
  'POST /api/recall/{id}/run': {
    says: 'Run the program of a review that is due. Passing answers it; the lesson itself stays as it is.',
    limit: 'execute-code',
    refuses: {
      conflict: 'This review is not due yet. It comes back by itself.',
      not_found: 'There is no such review.',
      unavailable:
        'Too many programs are waiting to be run. Yours got no verdict and nothing was counted. Please try again in a moment.',
    },
    input: { version: 1, code: 'const add = (a, b) => a + b;' },
  },
  'POST /api/recall/{id}': {
    says: 'Answer a review that is due. A quiz question takes `answers`, a coding task `rating`, which is `forgot` alone where a run of its program answers it.',
    refuses: {
      conflict: 'This quiz was changed after you opened it. Reload the page to see its questions.',
      not_found: 'There is no such review.',
    },
    input: { version: 1, rating: 'forgot' },
  },
  'POST /api/courses/{id}/content/{lessonId}/complete': {
    says: 'Mark a lesson as completed. Lessons that their own task completes are refused.',
    limit: 'complete-lesson',
    refuses: {
      forbidden: 'You are not enrolled in this course.',
      not_found: 'Course not found',
      conflict: 'Hand in your work to complete this lesson.',
    },
  },
  'GET /api/lessons/{id}/assignment': {
    says: 'Get what you handed in for an assignment, with its grade. Null where there is nothing yet.',
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'GET /api/my-enrollments/{courseId}': {
    says: 'Get a course of yours with its lessons, their contents and your progress.',
    refuses: { not_found: 'Course Not Found' },
  },
  'GET /api/my-learning': {
    says: 'Count what waits for you: reviews that are due today, and answers that you have not seen.',
  },
  'GET /api/progress': {
    says: 'Get your progress in every course, lesson by lesson.',
  },
  'GET /api/lessons/{id}/quiz': {
    says: 'Get the questions of a quiz with your attempts so far.',
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'GET /api/enrollments': {
    says: 'List your courses, without their lessons.',
  },
  'GET /api/my-enrollments': {
    says: 'List your courses with the outline of their lessons.',
  },
  'GET /api/recall': {
    says: 'List what is for review today.',
  },
  'POST /api/recall/{id}/later': {
    says: 'Put a review off until tomorrow or for a week.',
    refuses: { not_found: 'There is no such review.' },
  },
  'POST /api/lessons/{id}/activity': {
    says: 'Add time that was spent on a lesson, and what was watched of its video.',
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'PUT /api/lessons/{id}/notes': {
    says: 'Save your notes on a lesson. `version` is the one that they were read with.',
    refuses: {
      conflict: 'These notes were changed in another tab or on another device.',
      not_found: "Lesson not found or you don't have access to it.",
    },
  },
  'PUT /api/weekly-goal': {
    says: 'Set on how many days a week you mean to learn.',
  },
  'POST /api/lessons/{id}/assignment': {
    says: 'Hand in an assignment as text. What was handed in before is replaced until it is graded.',
    limit: 'assignment',
    refuses: {
      conflict: 'Your work has been graded and can no longer be replaced.',
      not_found: "Lesson not found or you don't have access to it.",
    },
  },
  'POST /api/lessons/{id}/assignment/files': {
    says: 'Hand in an assignment as a file. The body is `multipart/form-data` with one file in the field `file`.',
    limit: 'assignment-files',
    refuses: {
      bad_request: 'The form could not be read.',
      conflict: 'Your work has been graded and can no longer be replaced.',
      not_found: "Lesson not found or you don't have access to it.",
      too_large: 'A field of the form is too long.',
      unsupported_media_type: 'Send the file as multipart/form-data.',
    },
  },
  'POST /api/lessons/{id}/quiz': {
    says: 'Hand in the answers to a quiz. They are marked at once.',
    limit: 'quiz',
    refuses: {
      conflict:
        'This attempt was already handed in, in another tab or on another device. Reload the page to see its result.',
      not_found: "Lesson not found or you don't have access to it.",
    },
    input: { answers: { '7': 0 } },
  },
  'POST /api/lessons/{id}/quiz-check': {
    says: 'Have the answer to one question marked, of a quiz that gives feedback after each. The first answer counts.',
    limit: 'quiz-check',
    refuses: {
      conflict: 'This quiz tells what was right once it is handed in.',
      not_found: "Lesson not found or you don't have access to it.",
    },
    input: { answers: { '7': 0 } },
  },
  'POST /api/lesson-questions/{id}/replies': {
    says: 'Add something to your question on a lesson.',
    limit: 'lesson-questions',
    refuses: {
      conflict: 'The team has closed this question. Ask a new one.',
      not_found: "Lesson not found or you don't have access to it.",
    },
  },
  'POST /api/lessons/{id}/questions': {
    says: 'Ask the team about a lesson. `key` is made by the caller, so that the same sent twice is asked once.',
    limit: 'lesson-questions',
    refuses: {
      conflict: 'This was asked somewhere else already.',
      not_found: "Lesson not found or you don't have access to it.",
    },
  },
  'PUT /api/lesson-questions/{id}': {
    says: 'Change your question while nobody has answered it.',
    limit: 'lesson-questions',
    refuses: {
      conflict: 'This question has been answered and stays as it is. Add to it instead.',
      not_found: "Lesson not found or you don't have access to it.",
    },
    input: { body: 'Why so?', version: 1 },
  },
  'DELETE /api/lesson-questions/{id}': {
    says: 'Delete your question while nobody has answered it.',
    limit: 'lesson-questions',
    refuses: {
      conflict: 'This question has been answered and stays as it is. Add to it instead.',
      not_found: 'There is no such question.',
    },
  },
  'GET /api/lessons/{id}/questions': {
    says: 'List your questions on a lesson and after them those that everybody in it may read, newest first. `after` goes on where an answer said that there are more.',
    open: true,
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'POST /api/lesson-questions/{id}/reports': {
    says: 'Report a shared question to the team.',
    limit: 'lesson-questions',
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'PUT /api/lesson-questions/{id}/shared': {
    says: 'Let other learners read your question, where the team does too, or not any more.',
    limit: 'lesson-questions',
    refuses: { not_found: 'There is no such question.' },
  },
  'PUT /api/lesson-questions/{id}/solved': {
    says: 'Say that your question is solved, or open again.',
    limit: 'lesson-questions',
    refuses: { not_found: 'There is no such question.' },
  },
  'POST /api/execute-code': {
    says: 'Run code for a coding lesson and have it judged. Every run counts as an attempt.',
    limit: 'execute-code',
    refuses: {
      not_found: "Lesson not found or you don't have access to it.",
      unavailable: 'The service is busy. Please try again in a moment.',
      conflict:
        'This lesson has nothing to check your code with. Read it, and mark it complete in the course.',
    },
    input: { lessonId: 7, code: 'console.log(1)', language: 'javascript' },
  },
  'POST /api/lessons/{id}/code-hint': {
    says: 'Where to look in a wrong program: the line of a small change that passes more tests, and its kind. Nothing is kept.',
    open: true,
    limit: 'code-hint',
    refuses: {
      not_found: "Lesson not found or you don't have access to it.",
    },
    input: { code: 'console.log(1)', language: 'javascript' },
  },
  'POST /api/lessons/{id}/code-preview': {
    says: 'Run code for a preview lesson and have it judged. Nothing is kept.',
    open: true,
    limit: 'code-preview',
    refuses: {
      not_found: "Lesson not found or you don't have access to it.",
      unavailable: 'The service is busy. Please try again in a moment.',
      conflict:
        'This lesson has nothing to check your code with. Read it, and mark it complete in the course.',
    },
    input: { code: 'console.log(1)', language: 'javascript' },
  },
  'POST /api/lessons/{id}/replay': {
    says: 'Run JavaScript or Python on the input of a visible test step by step, and hear where it parts from the solution. Nothing is kept.',
    open: true,
    limit: 'replay',
    refuses: {
      not_found: 'There is no such test to replay.',
      unavailable: 'The service is busy. Please try again in a moment.',
      conflict:
        'This lesson has nothing to check your code with. Read it, and mark it complete in the course.',
    },
    input: { code: 'console.log(1)', language: 'javascript', test: 0 },
  },
  'GET /api/lessons/{id}': {
    says: 'Get a coding lesson with its task. Hidden tests are named without their values.',
    open: true,
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'GET /api/submissions/{id}': {
    says: 'Get one of your attempts with its code and its tests.',
    refuses: { not_found: 'Submission not found' },
  },
  'GET /api/lessons/{id}/submissions': {
    says: 'List your attempts at a coding lesson, newest first.',
  },
  'POST /api/lessons/{id}/hints': {
    says: 'Tell that so many hints of a coding lesson have been seen.',
    limit: 'hints',
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'GET /api/lessons/{id}/comparison': {
    says: 'Get your program that passed beside the solution, and beside those of others where they are shown.',
    limit: 'comparison',
    refuses: {
      not_found: "Lesson not found or you don't have access to it.",
      forbidden: 'You can compare your program once it has passed.',
    },
  },
  'GET /api/lessons/{id}/tables': {
    says: 'Get the tables of a SQL lesson with their first rows.',
    open: true,
    limit: 'lesson-tables',
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'PUT /api/hidden-programs': {
    says: 'Keep your programs from other learners, or let them be seen again, in every lesson.',
  },
  'POST /api/submissions/{id}/group-hint': {
    says: "Ask for hints that the team wrote for mistakes like this attempt's.",
    limit: 'hints',
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'POST /api/group-hints/{id}/open': {
    says: "Open one of those hints. It counts like the lesson's own.",
    limit: 'hints',
    refuses: { not_found: "Lesson not found or you don't have access to it." },
  },
  'POST /api/execute-scenario-action': {
    says: 'Act in your run of a scenario, in plain words.',
    limit: 'scenario-action',
    refuses: {
      not_found: "Scenario not found or you don't have access to it.",
      conflict: 'This run has ended. Start the scenario again to go on.',
      not_understood: "That action couldn't be executed. Try a different approach.",
    },
  },
  'GET /api/scenarios/{id}/runs/{runId}': {
    says: 'Get a run of yours that has ended, step by step.',
    limit: 'scenario-replay',
    refuses: {
      not_found: "Scenario not found or you don't have access to it.",
      unavailable: 'Other scenarios are being checked. Please try again in a moment.',
    },
  },
  'GET /api/scenarios/{id}': {
    says: 'Get a scenario, with your run where there is one.',
    open: true,
    refuses: { not_found: "Scenario not found or you don't have access to it." },
  },
  'POST /api/scenarios/{id}/start': {
    says: 'Start a run of a scenario. One that is open ends with the score it has.',
    limit: 'scenario-start',
    refuses: { not_found: "Scenario not found or you don't have access to it." },
  },
  'PUT /api/scenarios/{id}/time': {
    says: 'Choose how much time scenarios give you. Your open run of this one gets more at once, never less.',
    limit: 'scenario-action',
    refuses: { not_found: "Scenario not found or you don't have access to it." },
  },
  'POST /api/scenarios/{id}/preview': {
    says: 'Play a scenario that is a preview, from its beginning by the given actions. Nothing is kept.',
    open: true,
    limit: 'scenario-preview',
    refuses: { not_found: "Scenario not found or you don't have access to it." },
    input: { actions: ['look at the logs'] },
  },
  'POST /api/scenarios/{id}/runs/{runId}/what-if': {
    says: 'Try what other actions would have done in a run that has ended. Nothing is kept.',
    limit: 'scenario-what-if',
    refuses: { not_found: "Scenario not found or you don't have access to it." },
  },
  'POST /api/contact': {
    says: 'Send a message to the firm.',
    open: true,
    limit: 'contact',
    input: {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      subject: 'A question',
      message: 'Is there a course on tests?',
    },
  },
};
