type Counted = 'address' | 'account' | 'account or address' | 'email';

/** At most `points` uses in `seconds`. */
export type Limit = {
  readonly points: number;
  readonly seconds: number;
  readonly by: Counted;
  readonly what: string;
};

/** A test compares the table in `docs/security.md`. */
export const LIMITS = {
  login: { points: 600, seconds: 60, by: 'address', what: 'sign in' },
  'login-failures': { points: 30, seconds: 60, by: 'address', what: 'sign in with a wrong password' },
  'second-factor': { points: 120, seconds: 60, by: 'address', what: 'take the second step of a sign-in' },
  // Six digits are few enough to be guessed otherwise.
  'one-time-codes': {
    points: 10,
    seconds: 3600,
    by: 'account',
    what: 'try a one-time code; a right one forgets the others',
  },
  'passkey-options': { points: 120, seconds: 60, by: 'address', what: 'begin a sign-in with a passkey' },
  'proof-options': { points: 60, seconds: 600, by: 'account', what: 'begin a proof with a passkey' },
  'register-new': { points: 200, seconds: 3600, by: 'address', what: 'make an account' },
  'register-taken': {
    points: 20,
    seconds: 600,
    by: 'address',
    what: 'register with an email that has an account',
  },
  'restore-sign-in': {
    points: 10,
    seconds: 600,
    by: 'account',
    what: 'have the lost half of a sign-in made anew',
  },
  'forgot-password': { points: 20, seconds: 600, by: 'address', what: 'ask for a reset link' },
  'forgot-password-email': {
    points: 3,
    seconds: 3600,
    by: 'email',
    what: 'reset links mailed; kept silently',
  },
  'reset-password': { points: 20, seconds: 600, by: 'address', what: 'set a new password by a link' },
  'resend-verification': { points: 3, seconds: 3600, by: 'account', what: 'mail a verification link again' },
  'change-name': { points: 20, seconds: 3600, by: 'account', what: 'change the own name' },
  instructor: { points: 30, seconds: 600, by: 'account', what: 'change what courses show of an instructor' },
  'change-email': { points: 5, seconds: 3600, by: 'account', what: 'ask for another email address' },
  // Any number of accounts may name one stranger's address.
  'change-email-address': {
    points: 5,
    seconds: 3600,
    by: 'email',
    what: 'mails to an address that accounts ask for; kept silently',
  },
  'export-own-data': { points: 10, seconds: 3600, by: 'account', what: "export one's data" },
  contact: { points: 10, seconds: 600, by: 'address', what: 'contact form' },
  // Without JavaScript the time is unknown, so a script gains nothing by leaving it out.
  'contact-untimed': { points: 5, seconds: 3600, by: 'address', what: 'contact form without its time' },
  'quiz-preview': { points: 60, seconds: 600, by: 'address', what: 'try a quiz of a preview' },
  'code-preview': { points: 240, seconds: 600, by: 'address', what: 'run code in a preview' },
  'scenario-preview': { points: 120, seconds: 600, by: 'address', what: 'act in a scenario of a preview' },
  cart: { points: 120, seconds: 60, by: 'account', what: 'change the cart' },
  // Every place where a code can be guessed shares this count.
  'apply-coupon': {
    points: 40,
    seconds: 600,
    by: 'account or address',
    what: 'try a coupon, alone or in a checkout',
  },
  checkout: { points: 60, seconds: 60, by: 'account', what: 'check out' },
  'direct-checkout': {
    points: 120,
    seconds: 600,
    by: 'account or address',
    what: 'direct checkout',
  },
  'save-direct-buyer': {
    points: 60,
    seconds: 600,
    by: 'account or address',
    what: "give a direct checkout's buyer",
  },
  'organisation-new': { points: 20, seconds: 3600, by: 'account', what: 'open an organization' },
  'organisation-members': {
    points: 20,
    seconds: 3600,
    by: 'account',
    what: 'invite people to run an organization, or to the staff of courses',
  },
  'seat-reminder': {
    points: 3,
    seconds: 86_400,
    by: 'account',
    what: "have one seat's offer mailed again",
  },
  'organisation-mail': {
    points: 120,
    seconds: 600,
    by: 'account',
    what: "give an organization's seats",
  },
  webhooks: {
    points: 60,
    seconds: 600,
    by: 'account',
    what: "change an organization's webhooks, or send again",
  },
  join: { points: 60, seconds: 600, by: 'account', what: "take what an organization's link offers" },
  'confirm-payment': { points: 120, seconds: 60, by: 'account', what: 'confirm a payment' },
  'claim-purchase': {
    points: 60,
    seconds: 600,
    by: 'address',
    what: "claim a guest's purchase, by a link or right after it",
  },
  // Each may be mailed to a stranger.
  'request-claim-link': { points: 20, seconds: 600, by: 'address', what: 'ask for a claim link' },
  'claim-link-email': { points: 3, seconds: 3600, by: 'email', what: 'claim links mailed; kept silently' },
  // Anybody's address may be typed in, and the link of a receipt brings all of its orders.
  'free-order-email': {
    points: 5,
    seconds: 3600,
    by: 'email',
    what: 'receipts of what guests get for nothing; kept silently',
  },
  'invoice-pdf': { points: 60, seconds: 600, by: 'account or address', what: 'an invoice as a file' },
  'certificate-pdf': { points: 60, seconds: 600, by: 'account', what: 'a certificate as a file' },
  'page-vitals': { points: 30, seconds: 60, by: 'account', what: "tell a page's speed" },
  reviews: { points: 30, seconds: 600, by: 'account', what: 'write or delete a review, or an answer to one' },
  'lesson-questions': {
    points: 30,
    seconds: 600,
    by: 'account',
    what: 'ask about a lesson, change that or report what others asked',
  },
  'complete-lesson': { points: 120, seconds: 60, by: 'account', what: 'complete a lesson' },
  'execute-code': { points: 60, seconds: 60, by: 'account', what: 'run code' },
  'code-hint': { points: 30, seconds: 60, by: 'account or address', what: 'ask for a hint to a program' },
  hints: { points: 120, seconds: 60, by: 'account', what: 'see a hint' },
  // Hundreds of programs are read for each.
  comparison: { points: 30, seconds: 600, by: 'account', what: "compare the own program with others'" },
  // Each may be a run of the judge.
  'lesson-tables': {
    points: 60,
    seconds: 600,
    by: 'account or address',
    what: 'look at the tables of a SQL lesson',
  },
  // Each is two runs of the judge.
  replay: { points: 60, seconds: 600, by: 'account or address', what: 'see a program run step by step' },
  quiz: { points: 60, seconds: 600, by: 'account', what: 'hand in a quiz' },
  'quiz-check': { points: 300, seconds: 600, by: 'account', what: 'check an answer of a quiz' },
  assignment: { points: 60, seconds: 600, by: 'account', what: 'hand in work' },
  'assignment-files': { points: 20, seconds: 600, by: 'account', what: 'hand in files' },
  'scenario-start': { points: 20, seconds: 60, by: 'account', what: 'start a scenario' },
  'scenario-action': { points: 60, seconds: 60, by: 'account', what: 'act in a scenario' },
  'scenario-what-if': { points: 60, seconds: 60, by: 'account', what: 'try another way in a scenario' },
  'scenario-replay': { points: 30, seconds: 60, by: 'account', what: 'see a run of a scenario again' },
  'course-import': { points: 60, seconds: 600, by: 'account', what: 'import a course' },
  'course-export': { points: 120, seconds: 600, by: 'account', what: 'export a course' },
  'publish-check': { points: 60, seconds: 600, by: 'account', what: 'check a course' },
  'scenario-check': { points: 40, seconds: 60, by: 'account', what: 'check a scenario while it is written' },
  'question-files': { points: 60, seconds: 600, by: 'account', what: 'read or write a file of questions' },
  'try-lesson': { points: 60, seconds: 60, by: 'account', what: 'try a lesson before it is published' },
} as const satisfies Record<string, Limit>;

export const SEARCH_SHARE = { atOnce: 1, waiting: 64, waitMs: 1_000 };

export type LimitName = keyof typeof LIMITS;
