/** The rows that a body may name. */
export interface Rows {
  courseId: number;
  lessonId: number;
}

const TOKEN = 'a'.repeat(43);
const INTENT = 'pi_3MadeUpForTests0000';
const SECRET = `${INTENT}_secret_madeUpForTests`;
const PERSON = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };

const course = (isNew: boolean) => ({
  title: 'A course of tests',
  description: 'What it is about.',
  thumbnail: 'https://example.com/picture.png',
  price: '10.00',
  originalPrice: '20.00',
  duration: '2 hours',
  level: 'beginner',
  categoryId: 1,
  isActive: true,
  certificateMonths: 12,
  ...(isNew ? {} : { version: 1 }),
});

const TEST_CASE = {
  input: 'add(1, 2)',
  expectedOutput: '3',
  description: 'adds',
  hidden: false,
  mode: 'call',
};

const lesson = {
  title: 'A lesson of tests',
  section: 'Part one',
  order: 1,
  content: 'Words.',
  fileUrl: '',
  captionsUrl: '',
  duration: '5 min',
  durationSeconds: 300,
  difficulty: 'beginner',
  isPreview: false,
  requiredToComplete: true,
  watchRequired: false,
  opening: { afterDays: 3, on: '2030-01-31', afterEarlier: true },
  points: 10,
};

/** As a browser writes them; nobody has such a passkey. */
const PASSKEY = { id: 'bm9ib2R5', rawId: 'bm9ib2R5', type: 'public-key', clientExtensionResults: {} };
const SIGNED = {
  ...PASSKEY,
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
};
const MADE = { ...PASSKEY, response: { clientDataJSON: 'e30', attestationObject: 'AAAA' } };

/**
 * For every endpoint that takes a JSON body: one whose every field is right, so that a test can break one at a time.
 * `null` where the body is not JSON, or where there is none.
 */
export function validBodies({ courseId, lessonId }: Rows): Record<string, Record<string, unknown> | null> {
  return {
    'POST /api/account/authenticator': null,
    'PUT /api/account/authenticator': { code: '123456' },
    'POST /api/account/email': { email: 'ada-moved@example.com' },
    'POST /api/account/passkeys': { name: 'Phone', passkey: MADE },
    'POST /api/account/passkeys/options': null,
    'POST /api/account/proof': { password: 'secret-1' },
    'POST /api/account/proof/options': null,
    'POST /api/account/recovery-codes': null,
    'PUT /api/account/name': { username: 'Ada' },
    'PUT /api/account/password': { currentPassword: 'secret-1', newPassword: 'secret-2' },
    'POST /api/admin/assignments/[id]/grade': {
      grade: 80,
      feedback: 'Well done.',
      submittedAt: '2026-01-01T00:00:00.000Z',
    },
    'POST /api/admin/certificates/[number]/revocation': { reason: 'Issued by mistake.' },
    'POST /api/admin/coupons': {
      kind: 'percent',
      code: 'TESTS10',
      courseId: null,
      expiresAt: '2036-01-01T00:00:00Z',
      usageLimit: 5,
      percentOff: 10,
    },
    'PUT /api/admin/coupons/[id]': { isActive: true },
    'POST /api/admin/course-imports': null,
    'POST /api/admin/courses/[id]/publish-check': null,
    'PUT /api/admin/courses/[id]/publish-check/override': {
      lessonId,
      finding: 'no_tests',
      reason: 'It is meant so.',
    },
    'PUT /api/admin/courses/[id]/archived': { archived: false },
    'POST /api/admin/courses/[id]/duplicate': null,
    'POST /api/admin/courses/[id]/learner-preview': { lessonId, reset: false },
    'POST /api/admin/lessons/[id]/duplicate': { courseId },
    'POST /api/admin/lessons/[id]/move': { courseId },
    'PUT /api/admin/courses/[id]/lesson-order': {
      before: [lessonId],
      lessons: [{ id: lessonId, section: '' }],
    },
    'POST /api/admin/courses/[id]/lessons': { type: 'text', ...lesson },
    'POST /api/admin/courses/[id]/news': { title: 'News', body: 'Words.' },
    'POST /api/admin/courses/[id]/pictures': null,
    'POST /api/admin/files': null,
    'POST /api/admin/interactive-courses': {
      title: 'A course of tests',
      description: 'What it is about.',
      categoryId: 1,
      price: '10.00',
      originalPrice: '20.00',
      level: 'beginner',
      duration: '2 hours',
      draftId: null,
      lessons: [
        {
          title: 'Adding',
          type: 'interactive_coding',
          instructions: 'Add.',
          codingLanguage: 'javascript',
          starterCode: '',
          solution: 'const add = (a, b) => a + b;',
          expectedOutput: '',
          hints: ['Use +.'],
          testCases: [TEST_CASE],
          difficulty: 'beginner',
          points: 10,
          order: 1,
        },
      ],
    },
    'PUT /api/admin/lessons/[id]': { type: 'text', ...lesson, version: 1 },
    'POST /api/admin/mail/[id]/retry': null,
    'PUT /api/admin/news/[id]': { title: 'News', body: 'Words.', version: 1 },
    'POST /api/admin/news/[id]/send': { version: 1 },
    'PUT /api/admin/messages/[id]': { status: 'read' },
    'POST /api/admin/orders/[id]/claim-link': null,
    'POST /api/admin/orders/[id]/receipt': null,
    'POST /api/admin/orders/[id]/reconcile': null,
    'POST /api/admin/orders/[id]/refund': { itemId: 1, reason: 'They asked.' },
    'POST /api/admin/orders/[id]/resend-refund': { refundId: 1 },
    'POST /api/admin/orders/[id]/settle-flag': { flag: 'partial_refund', note: 'Looked into.' },
    'PUT /api/admin/pictures/[id]': { alt: 'A plan' },
    'POST /api/admin/video-uploads': null,
    'PATCH /api/admin/video-uploads/[id]': null,
    'POST /api/admin/preview': { content: 'Words.' },
    'POST /api/admin/questions/export': {
      format: 'gift',
      questions: [{ question: 'Which?', options: ['a', 'b'], correctAnswer: 0 }],
    },
    'POST /api/admin/questions/files': null,
    'POST /api/admin/reviews/[id]/hide': { reason: 'Spam.' },
    'POST /api/admin/reviews/[id]/show': null,
    'POST /api/admin/sandbox/[intent]': { action: 'payment_succeeds' },
    'POST /api/admin/scenario-check': { definition: {} },
    'POST /api/admin/search-synonyms': { typed: 'gizmo tests', means: 'javascript' },
    'POST /api/admin/thumbnails': null,
    'POST /api/admin/try-lesson': {
      codingLanguage: 'javascript',
      code: 'const add = (a, b) => a + b;',
      testCases: [TEST_CASE],
      expectedOutput: '',
      content: '',
    },
    'POST /api/admin/user-import/files': null,
    'POST /api/admin/users/[id]/admin-request': { decision: 'decline', reason: 'Not now.' },
    'POST /api/admin/users/[id]/delete': { confirmation: 'nobody@example.com', reason: 'They asked.' },
    'POST /api/admin/users/[id]/enroll': { courseId, reason: 'A gift.' },
    'PUT /api/admin/users/[id]/role': { role: 'student', reason: 'No longer here.' },
    'POST /api/admin/users/[id]/unenroll': { courseId, reason: 'A mistake.' },
    'POST /api/apply-coupon': { code: 'TESTS10', courseId },
    'POST /api/auth/login': { email: PERSON.email, password: 'secret-1' },
    'POST /api/auth/logout': null,
    'POST /api/auth/passkey': { passkey: SIGNED },
    'POST /api/auth/passkey/options': null,
    'POST /api/auth/second-factor': { code: '123456' },
    'POST /api/auth/register': {
      username: 'Ada',
      email: PERSON.email,
      password: 'secret-1',
      confirmPassword: 'secret-1',
      role: 'student',
    },
    'POST /api/auth/resend-verification': null,
    'POST /api/auth/restore': null,
    'POST /api/cart': { courseId },
    'POST /api/claim-purchase': {
      token: TOKEN,
      password: 'secret-1',
      paymentIntentId: INTENT,
      clientSecret: SECRET,
    },
    'POST /api/confirm-payment': { paymentIntentId: INTENT },
    'POST /api/contact': {
      ...PERSON,
      subject: 'A question',
      message: 'Is there a course on tests?',
      website: '',
      elapsedMs: 9_000,
    },
    'POST /api/courses': course(true),
    'PUT /api/courses/[id]': course(false),
    'POST /api/courses/[id]/content/[lessonId]/complete': null,
    'PUT /api/courses/[id]/review': { rating: 5, review: 'Good.' },
    'PUT /api/courses/[id]/toggle': null,
    'POST /api/courses/[id]/view': null,
    'POST /api/create-account-after-purchase': {
      ...PERSON,
      password: 'secret-1',
      paymentIntentId: INTENT,
      clientSecret: SECRET,
    },
    'POST /api/create-direct-payment': { courseId, amount: 49, couponCode: '', buyer: PERSON },
    'POST /api/create-payment-intent': { amount: 49, couponCode: '' },
    'POST /api/execute-code': {
      lessonId,
      code: 'console.log(1)',
      language: 'javascript',
      timeSpent: 5,
      hintsUsed: 0,
    },
    'POST /api/execute-scenario-action': {
      scenarioId: 1,
      action: 'look at the logs',
      currentState: {},
      actionsTaken: [],
    },
    'POST /api/forgot-password': { email: PERSON.email },
    'POST /api/lessons/[id]/activity': { seconds: 5, video: { position: 1, watched: [[0, 1]] } },
    'POST /api/lessons/[id]/assignment': { submission: 'My work.' },
    'POST /api/lessons/[id]/assignment/files': null,
    'POST /api/lessons/[id]/hints': { shown: 0 },
    'PUT /api/lessons/[id]/notes': { notes: 'Mine.', version: 0 },
    'POST /api/lessons/[id]/quiz': { answers: { 1: 0 } },
    'POST /api/lessons/[id]/quiz-preview': { answers: { 1: 0 } },
    'POST /api/page-vitals': { route: '/dashboard', lcp: 900, inp: 40, cls: 0.01 },
    'POST /api/request-claim-link': { email: PERSON.email },
    'POST /api/reset-password': { token: TOKEN, newPassword: 'secret-1' },
    'POST /api/save-direct-buyer': { ...PERSON, paymentIntentId: INTENT, clientSecret: SECRET },
    'POST /api/scenarios/[id]/runs/[runId]/what-if': { keep: 0, actions: ['look at the logs'] },
    'POST /api/scenarios/[id]/start': null,
    'POST /api/stripe/webhook': null,
    'PUT /api/weekly-mail': { on: true },
  };
}
