import { PAYING, type Words } from './words.server.ts';

export const store: Words = {
  'PUT /api/course-reviews/{id}/answer': {
    says: 'Answer a review as the team of its course. An answer that is there is replaced; the answer of this call is empty.',
    limit: 'reviews',
    refuses: {
      conflict: 'This review is hidden. Nobody would read an answer.',
      forbidden: 'Only the team of a course answers its reviews.',
      not_found: 'Review not found',
    },
  },
  'POST /api/courses/{id}/view': {
    says: "Count that a course's page was looked at.",
    open: true,
  },
  'DELETE /api/courses/{id}/review': {
    says: 'Delete your own review of a course.',
    limit: 'reviews',
    refuses: { not_found: 'Course not found' },
  },
  'GET /api/courses/{id}': {
    says: 'Get a course with its lessons. The contents of a lesson are there only for those who may open it.',
    open: true,
    refuses: { not_found: 'Course not found' },
  },
  'GET /api/categories': {
    says: 'List the categories of courses.',
    open: true,
  },
  'GET /api/courses': {
    says: 'List the courses that are for sale, page by page. Filters can be combined, and values that are not known count as not given.',
    open: true,
  },
  'GET /api/courses/{id}/reviews': {
    says: 'List the reviews of a course, newest first, with their summary.',
    open: true,
    refuses: { not_found: 'Course not found' },
  },
  'DELETE /api/course-reviews/{id}/answer': {
    says: "Take the team's answer to a review away.",
    limit: 'reviews',
    refuses: { forbidden: 'Only the team of a course answers its reviews.', not_found: 'Review not found' },
  },
  'PUT /api/courses/{id}/review': {
    says: 'Write your review of a course, or change it.',
    limit: 'reviews',
    refuses: {
      conflict: 'The review was deleted meanwhile. Please try again.',
      forbidden: 'Complete a lesson of this course first, then review it.',
      not_found: 'Course not found',
    },
  },
  'GET /api/suggestions': {
    says: 'Get courses and categories for the beginning of a search.',
    open: true,
  },
  'POST /api/lessons/{id}/quiz-preview': {
    says: 'Mark answers to the quiz of a preview lesson. Nothing is kept.',
    open: true,
    limit: 'quiz-preview',
    refuses: {
      conflict: 'This quiz was changed after you opened it. Reload the page to see its questions.',
      not_found: "Lesson not found or you don't have access to it.",
    },
    input: { answers: { '7': 0 } },
  },
  'DELETE /api/instructors/{id}/portrait': {
    says: "Take an instructor's portrait away.",
    limit: 'instructor',
    refuses: {
      forbidden: 'Only those who make courses are shown as instructors.',
      not_found: 'There is no such instructor.',
    },
  },
  'PUT /api/instructors/{id}': {
    says: 'Write what the site says about an instructor.',
    limit: 'instructor',
    refuses: {
      forbidden: 'Only those who make courses are shown as instructors.',
      not_found: 'There is no such instructor.',
    },
  },
  'POST /api/instructors/{id}/portrait': {
    says: "Send an instructor's portrait. The body is `multipart/form-data` with one file in the field `file`.",
    limit: 'instructor',
    refuses: {
      bad_request: 'The form could not be read.',
      forbidden: 'Only those who make courses are shown as instructors.',
      invalid_input: 'Choose a picture',
      not_found: 'There is no such instructor.',
      too_large: 'A field of the form is too long.',
      unsupported_media_type: 'Send the file as multipart/form-data.',
    },
  },
  'POST /api/cart': {
    says: 'Put a course or a bundle into your cart. Exactly one of the two is named; the same again changes nothing.',
    limit: 'cart',
    refuses: {
      already_owned: 'You are already enrolled in this course',
      conflict: 'It is no longer in your cart.',
      not_found: 'Bundle not found',
    },
    input: { courseId: 7 },
  },
  'POST /api/apply-coupon': {
    says: 'Ask what a coupon takes off. Without a course or bundle it is asked for your cart.',
    open: true,
    limit: 'apply-coupon',
    refuses: {
      already_owned: 'You are already enrolled in this course',
      bad_request: 'Your cart is empty.',
      conflict: 'This coupon has been used up.',
      not_found: 'There is no coupon with this code.',
      unauthenticated: 'Please sign in to continue.',
    },
    input: { code: 'SPRING10', courseId: 7 },
  },
  'POST /api/claim-purchase': {
    says: "Take a purchase that was made without an account into an account. Proof is a mailed link's token, or the payment with its secret.",
    open: true,
    limit: 'claim-purchase',
    refuses: {
      ...PAYING,
      bad_request: 'This link is invalid or has expired.',
      conflict: 'Payment succeeded but enrollment failed. Please contact support with your payment details.',
      forbidden: 'This is not a purchase of yours.',
      unauthenticated: 'Your session has ended. Please sign in again.',
      payment_required: 'Nothing has been paid yet, and nothing was charged.',
    },
    input: { token: 'k3vQk3vQk3vQk3vQk3vQk3vQk3vQk3vQk3vQk3vQ', password: 'correct horse battery' },
  },
  'POST /api/confirm-payment': {
    says: 'Ask that a payment is looked at now. Once it has succeeded the courses are open and the order has its invoice.',
    limit: 'confirm-payment',
    refuses: {
      ...PAYING,
      conflict: 'Payment succeeded but enrollment failed. Please contact support with your payment details.',
      not_found: 'There is no such payment.',
      payment_required: 'Nothing has been paid yet, and nothing was charged.',
    },
  },
  'POST /api/orders/{id}/billing': {
    says: 'Have the invoice of your order made out to a company. A corrected invoice takes the place of the first.',
    limit: 'checkout',
    refuses: { conflict: 'This order has no invoice yet.', not_found: 'You have no such order.' },
  },
  'POST /api/orders/{id}/refund-request': {
    says: 'Ask for the money of your order back. It can be asked for once; a person decides, and a mail brings the outcome.',
    open: true,
    limit: 'checkout',
    refuses: { conflict: 'You asked for it on {day} already.', not_found: 'You have no such order.' },
  },
  'GET /api/cart/count': {
    says: 'Count what is in your cart.',
  },
  'POST /api/create-account-after-purchase': {
    says: 'Make an account for a purchase that was made without one. The name and email of the purchase count; those of the body are for one that was paid without any.',
    open: true,
    limit: 'claim-purchase',
    refuses: {
      ...PAYING,
      bad_request: 'This link is invalid or has expired.',
      conflict: 'Payment succeeded but enrollment failed. Please contact support with your payment details.',
      forbidden: 'This is not a purchase of yours.',
      unauthenticated: 'Your session has ended. Please sign in again.',
      payment_required: 'Nothing has been paid yet, and nothing was charged.',
    },
  },
  'POST /api/create-direct-payment': {
    says: 'Begin to pay for one course or one bundle, signed in or as a guest. `amount` is the total that was shown; `buyer` is needed where it costs nothing.',
    open: true,
    limit: 'direct-checkout',
    refuses: {
      ...PAYING,
      already_owned: 'You are already enrolled in this course',
      bad_request:
        'One payment can be {$999,999.99} at most. Please buy fewer courses at once, or contact us.',
      conflict: 'This coupon has been used up.',
      not_found: 'Bundle not found',
      price_changed: 'The total has changed. Please check it before you pay.',
    },
    input: { courseId: 7, amount: '49.00' },
  },
  'POST /api/create-payment-intent': {
    says: 'Begin to pay for your cart. `amount` is the total that was shown, and a different one is refused.',
    limit: 'checkout',
    refuses: {
      ...PAYING,
      already_owned: 'You are already enrolled in this course',
      bad_request: 'Your cart is empty.',
      conflict: 'This coupon has been used up.',
      price_changed: 'The total has changed. Please check it before you pay.',
    },
  },
  'GET /api/bundles/{id}': {
    says: 'Get a bundle with its courses.',
    open: true,
    refuses: { not_found: 'Bundle not found' },
  },
  'GET /api/cart': {
    says: 'List what is in your cart.',
  },
  'GET /api/orders': {
    says: 'List your orders, newest first.',
  },
  'DELETE /api/cart/{courseId}': {
    says: 'Take a course out of your cart. The bundle of a course goes with it, whole.',
    limit: 'cart',
  },
  'POST /api/request-claim-link': {
    says: "Have the link mailed by which a guest's purchase is claimed. The answer is the same whether or not there is one.",
    open: true,
    limit: 'request-claim-link',
  },
  'POST /api/save-direct-buyer': {
    says: "Write the buyer's name and email on an order before it is paid.",
    open: true,
    limit: 'save-direct-buyer',
    refuses: {
      ...PAYING,
      conflict: 'This payment is closed or under way. Please reload the page.',
      not_found: 'There is no such payment.',
    },
  },
};
