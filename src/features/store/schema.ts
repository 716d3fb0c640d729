import { z } from 'zod';
import { publicUser } from '#src/features/account/schema.ts';
import { courseModel } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { PRICE_MAX_CENTS } from '#src/shared/money.ts';
import { dollars, email, id, idInPath, line, mailbox, password, text } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';
import { amountToCents } from './cart/cart.ts';
import { billingInput } from './invoices/billing.ts';
import { BUNDLE_COURSES_MAX, BUNDLE_COURSES_MIN } from './bundles/bundles.ts';
import { CHARGE_MIN_CENTS, normaliseCouponCode } from './coupons/coupons.ts';

/** A line of the cart with its course (spec 3). */
export const cartLineModel = z.object({
  id: z.number(),
  userId: z.number(),
  courseId: z.number(),
  addedAt: z.string(),
  /** Why the line cannot be bought any more; null for a line that can (decision 24). A bundle's lines have one answer. */
  unavailable: z.enum(['hidden', 'owned']).nullable(),
  /** The bundle that the course is in the cart with; its lines come and go together. */
  bundle: z.object({ id: z.number(), title: z.string(), price: z.string() }).nullable(),
  /** In a bundle, `price` is the course's share of the bundle's price and `originalPrice` what it costs singly. */
  course: courseModel,
});
export type CartLine = z.output<typeof cartLineModel>;

/** `GET /api/cart` */
export const listCartCall = contract({
  method: 'GET',
  path: '/api/cart',
  output: z.array(cartLineModel),
});

/** `GET /api/cart/count`: how many lines the cart holds, for the badge of every page. */
export const countCartCall = contract({
  method: 'GET',
  path: '/api/cart/count',
  output: z.object({ count: z.number() }),
});

/** `POST /api/orders/{id}/billing`: has the invoice of an order name a company, once. */
export const correctInvoiceCall = contract({
  method: 'POST',
  path: '/api/orders/{id}/billing',
  params: z.object({ id: idInPath('Order') }),
  input: billingInput,
  output: z.object({ message: z.string() }),
});

/** A course or a bundle; exactly one, which `onlyOne` sees to. */
export const thing = { courseId: id('Course id').optional(), bundleId: id('Bundle id').optional() };

/** For a body with `thing`: exactly one of the two is named. */
export const onlyOne = (
  { courseId, bundleId }: { courseId?: number | undefined; bundleId?: number | undefined },
  context: z.RefinementCtx,
): void => {
  if ((courseId === undefined) !== (bundleId === undefined)) return;
  const message =
    courseId === undefined ? 'Course id is required' : 'Give a course id or a bundle id, not both of them';
  context.addIssue({ code: 'custom', path: [courseId === undefined ? 'courseId' : 'bundleId'], message });
};

/** `POST /api/cart`: answers the line, an existing one too (decision 24); of a bundle, its first. */
export const addToCartCall = contract({
  method: 'POST',
  path: '/api/cart',
  input: z.object(thing).superRefine(onlyOne),
  output: cartLineModel.extend({
    /** What the buyer should know: a course was in the cart already, by itself or with a bundle. */
    notice: z.string().optional(),
  }),
});

/** `DELETE /api/cart/{courseId}`: removing what is not there is no error. The bundle of a course goes with it, whole. */
export const removeFromCartCall = contract({
  method: 'DELETE',
  path: '/api/cart/{courseId}',
  params: z.object({ courseId: idInPath('Course id') }),
  output: z.object({ success: z.literal(true) }),
});

/** Something about the cart that the buyer should know: a dropped line or a changed price. */
export const noticeModel = z.object({
  courseId: z.number(),
  reason: z.enum(['hidden', 'owned', 'price']),
  message: z.string(),
});
export type Notice = z.output<typeof noticeModel>;

const WRONG_AMOUNT = 'The amount must be a sum of dollars and cents';

/** What a page shows as total, in dollars; in cents after parsing. Only compared with the server's sum (decision 15). */
export const shownAmount = z
  .union([z.number({ error: WRONG_AMOUNT }), z.string({ error: WRONG_AMOUNT }).max(40, WRONG_AMOUNT)], {
    error: WRONG_AMOUNT,
  })
  .transform((amount, context) => {
    const cents = amountToCents(amount);
    if (cents !== null) return cents;
    context.addIssue({ code: 'custom', message: WRONG_AMOUNT });
    return z.NEVER;
  });

/** Characters of a coupon code. */
export const COUPON_CODE_MIN = 3;
export const COUPON_CODE_MAX = 40;

/** A code as buyers type it; any text of a fitting length may be asked for. */
const couponCode = line('Coupon code', { max: COUPON_CODE_MAX * 2 }).transform(normaliseCouponCode);

/**
 * `POST /api/apply-coupon`: what a coupon does to the caller's cart, or to one course. It is only looked at here: the
 * order takes it. Refusals have the reason in `coupon` and the text in `fields.couponCode`.
 */
export const applyCouponCall = contract({
  method: 'POST',
  path: '/api/apply-coupon',
  input: z.object({ code: couponCode, ...thing }).superRefine((input, context) => {
    if (input.courseId !== undefined) onlyOne(input, context);
  }),
  output: z.object({
    code: z.string(),
    /** Decimal strings of US dollars. */
    discount: z.string(),
    total: z.string(),
    /** It took off less than it is worth; see `CouponDiscount`. */
    reduced: z.boolean(),
  }),
});
export type AppliedCoupon = z.output<typeof applyCouponCall.output>;

/** A bundle in the store (decision 98); amounts are decimal strings of US dollars. */
export const bundleModel = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string(),
  price: z.string(),
  /** What its courses cost singly, and what is saved. */
  singly: z.string(),
  saving: z.string(),
  courses: z.array(
    courseModel.pick({ id: true, title: true, thumbnail: true, duration: true, level: true, price: true }),
  ),
});
export type StoreBundle = z.output<typeof bundleModel>;

/** `GET /api/bundles/{id}`: one that is offered. */
export const getBundleCall = contract({
  method: 'GET',
  path: '/api/bundles/{id}',
  params: z.object({ id: idInPath('Bundle') }),
  output: bundleModel,
});

/** A bundle as administrators see it. */
export const adminBundleModel = bundleModel.extend({
  state: z.enum(['active', 'hidden']),
  /** Why it is not offered; null where it is. */
  notOffered: z.string().nullable(),
  /** Orders that hold it, unpaid ones too. */
  orders: z.number(),
});
export type AdminBundle = z.output<typeof adminBundleModel>;

/** Characters of a bundle's title and description. */
export const BUNDLE_TITLE_MAX = 120;
export const BUNDLE_DESCRIPTION_MAX = 2000;
const WRONG_BUNDLE_PRICE = 'Price must be dollars and cents, from 0.50 to 999999.99';
const WRONG_COURSES = `A bundle has ${BUNDLE_COURSES_MIN} to ${BUNDLE_COURSES_MAX} different courses`;

const bundleFields = z.object({
  title: line('Title', { max: BUNDLE_TITLE_MAX }),
  description: text('Description', { max: BUNDLE_DESCRIPTION_MAX }),
  price: dollars(WRONG_BUNDLE_PRICE, WRONG_BUNDLE_PRICE, CHARGE_MIN_CENTS, PRICE_MAX_CENTS),
  /** In the order in which they are shown. */
  courseIds: z
    .array(id('Course'), { error: WRONG_COURSES })
    .min(BUNDLE_COURSES_MIN, WRONG_COURSES)
    .max(BUNDLE_COURSES_MAX, WRONG_COURSES)
    .refine((ids) => new Set(ids).size === ids.length, WRONG_COURSES),
  state: z.enum(['active', 'hidden'], { error: 'State must be active or hidden' }),
});
const bundleInput = bundleFields.transform(({ price, ...fields }) => ({ ...fields, priceCents: price }));
export type BundleInput = z.output<typeof bundleInput>;

/** `GET /api/admin/bundles`: newest first. */
export const listBundlesCall = contract({
  method: 'GET',
  path: '/api/admin/bundles',
  output: z.array(adminBundleModel),
});

/** `POST /api/admin/bundles` */
export const createBundleCall = contract({
  method: 'POST',
  path: '/api/admin/bundles',
  input: bundleInput,
  output: adminBundleModel,
});

/** `PUT /api/admin/bundles/{id}` */
export const updateBundleCall = contract({
  method: 'PUT',
  path: '/api/admin/bundles/{id}',
  params: z.object({ id: idInPath('Bundle') }),
  input: bundleInput,
  output: adminBundleModel,
});

/** `DELETE /api/admin/bundles/{id}`: refused where there are orders of it. */
export const deleteBundleCall = contract({
  method: 'DELETE',
  path: '/api/admin/bundles/{id}',
  params: z.object({ id: idInPath('Bundle') }),
  output: z.object({ success: z.literal(true) }),
});

/** `POST /api/create-payment-intent`: begins the payment of the cart. */
export const createPaymentIntentCall = contract({
  method: 'POST',
  path: '/api/create-payment-intent',
  input: z.object({ amount: shownAmount, couponCode: couponCode.optional() }),
  output: z.object({
    /** Null where there is nothing to pay with a card: free, paid already, or still processing. */
    clientSecret: z.string().nullable(),
    orderId: z.number(),
    status: z.enum(['open', 'processing', 'completed']),
    /** What the order costs, as a decimal string. */
    total: z.string(),
    free: z.literal(true).optional(),
    notices: z.array(noticeModel).optional(),
  }),
});
export type Checkout = z.output<typeof createPaymentIntentCall.output>;

const intentId = z
  .string({ error: 'paymentIntentId must be text' })
  .regex(/^pi_[A-Za-z0-9_]{1,200}$/, 'paymentIntentId is not the id of a payment');
const clientSecret = z
  .string({ error: 'clientSecret must be text' })
  .regex(/^pi_[A-Za-z0-9_]{1,300}$/, 'clientSecret is not the secret of a payment');

/** `POST /api/confirm-payment` */
export const confirmPaymentCall = contract({
  method: 'POST',
  path: '/api/confirm-payment',
  input: z.object({ paymentIntentId: intentId }),
  output: z.object({
    success: z.literal(true),
    orderId: z.number(),
    invoiceNumber: z.string().nullable(),
    courseIds: z.array(z.number()),
  }),
});

/** Characters of a first or last name at most. */
const NAME_MAX = 80;

/** The buyer of a direct purchase; all three are required (spec 5). */
export const buyerDetails = z.object({
  firstName: nameLine('First name', { max: NAME_MAX }),
  lastName: nameLine('Last name', { max: NAME_MAX }),
  email: mailbox(),
});
export type BuyerDetails = z.output<typeof buyerDetails>;

/**
 * `POST /api/create-direct-payment`: begins the payment of one course or one bundle, signed in or as guest. `buyer` is needed for a
 * free course, which is bought by this very call.
 */
export const createDirectPaymentCall = contract({
  method: 'POST',
  path: '/api/create-direct-payment',
  input: z
    .object({
      ...thing,
      amount: shownAmount,
      couponCode: couponCode.optional(),
      buyer: buyerDetails.optional(),
    })
    .superRefine(onlyOne),
  output: createPaymentIntentCall.output.extend({
    /** Whether the order belongs to the caller's account or to a guest. */
    buyer: z.enum(['account', 'guest']),
  }),
});

/** `POST /api/save-direct-buyer`: writes the buyer's name and email on the order before it is paid (decision 25). */
export const saveDirectBuyerCall = contract({
  method: 'POST',
  path: '/api/save-direct-buyer',
  input: buyerDetails.extend({
    paymentIntentId: intentId,
    clientSecret: clientSecret.optional(),
  }),
  output: buyerDetails,
});

const signedIn = z.object({ token: z.string(), user: publicUser });

/** What came of claiming a guest's purchase. */
const claimResult = z.discriminatedUnion('status', [
  /**
   * The caller is signed in to an account that is theirs now. `courseIds` are in it; there are none while the mailed link
   * has to be opened first.
   */
  signedIn.extend({ status: z.literal('created'), message: z.string(), courseIds: z.array(z.number()) }),
  /** A verified account has it; nobody was signed in and no password was touched. */
  z.object({ status: z.literal('attached'), message: z.string(), courseIds: z.array(z.number()) }),
  /** Only the mailbox decides: whatever there is to claim is mailed to the address. */
  z.object({ status: z.literal('mailed'), message: z.string() }),
]);
export type ClaimResult = z.output<typeof claimResult>;

/** The payment with its secret, as the provider appends them to the return address (decision 25). */
const paymentProof = { paymentIntentId: intentId.optional(), clientSecret: clientSecret.optional() };

/**
 * `POST /api/create-account-after-purchase`: the purchase's own name and email count. The body's are for one that was paid
 * without any.
 */
export const createAccountAfterPurchaseCall = contract({
  method: 'POST',
  path: '/api/create-account-after-purchase',
  input: z.object({
    email: mailbox(),
    firstName: nameLine('First name', { min: 0, max: NAME_MAX }).default(''),
    lastName: nameLine('Last name', { min: 0, max: NAME_MAX }).default(''),
    password: password(),
    ...paymentProof,
  }),
  output: claimResult,
});

/** For every reason why a mailed claim link does not work. */
export const CLAIM_LINK_FAILED = 'This link is invalid or has expired.';

const claimToken = z.string({ error: 'token must be text' }).regex(/^[\w-]{20,100}$/, CLAIM_LINK_FAILED);

/**
 * `POST /api/claim-purchase`: takes a guest's purchase into the caller's account, or into the account of the
 * purchase's address. Proof is a mailed link's token, the payment's secret or the claim cookie. `password` is needed
 * only with a token of an address that has no verified account.
 */
export const claimPurchaseCall = contract({
  method: 'POST',
  path: '/api/claim-purchase',
  input: z.object({ token: claimToken.optional(), password: password().optional(), ...paymentProof }),
  output: claimResult,
});

/** `POST /api/request-claim-link`: mails a new link; answers the same whether or not there is a purchase. */
export const requestClaimLinkCall = contract({
  method: 'POST',
  path: '/api/request-claim-link',
  input: z.object({ email: email() }),
  output: z.object({ message: z.string() }),
});

/** `POST /api/admin/orders/{id}/claim-link`: an administrator has the link mailed again (decision 26). */
export const resendClaimLinkCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/claim-link',
  params: z.object({ id: idInPath('Order') }),
  output: z.object({ message: z.string() }),
});

export const ORDER_STATUSES = [
  'pending',
  'processing',
  'completed',
  'failed',
  'expired',
  'partially_refunded',
  'refunded',
  'disputed',
] as const;

/** An order in its buyer's list. */
export const orderModel = z.object({
  id: z.number(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
  /** Decimal strings of US dollars. */
  total: z.string(),
  refunded: z.string(),
  status: z.enum(ORDER_STATUSES),
  invoiceNumber: z.string().nullable(),
  items: z.array(
    z.object({
      courseId: z.number(),
      title: z.string(),
      /** The title of the bundle that it was bought with. */
      bundle: z.string().nullable(),
      price: z.string(),
      refundedAt: z.string().nullable(),
    }),
  ),
});
export type OrderModel = z.output<typeof orderModel>;

/** `GET /api/orders`: the caller's own, newest first. */
export const listOrdersCall = contract({
  method: 'GET',
  path: '/api/orders',
  output: z.array(orderModel),
});

/** A coupon as administrators see it (decision 22). Amounts are decimal strings of US dollars. */
export const couponModel = z.object({
  id: z.number(),
  code: z.string(),
  kind: z.enum(['percent', 'fixed']),
  percentOff: z.number().nullable(),
  amountOff: z.string().nullable(),
  /** The one course that it applies to; null for every course. */
  course: z.object({ id: z.number(), title: z.string() }).nullable(),
  expiresAt: z.string().nullable(),
  usageLimit: z.number().nullable(),
  /** Orders that were completed with it, paid back ones included. */
  used: z.number(),
  /** Open orders that hold it. */
  reserved: z.number(),
  /** What it has taken off completed orders. */
  discountGiven: z.string(),
  isActive: z.boolean(),
  /** What a buyer would be told: only an active one can be used. */
  state: z.enum(['active', 'disabled', 'expired', 'used_up']),
  /** What all codes that were made together with it begin with; null where it was made by itself. */
  batch: z.string().nullable(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
});
export type Coupon = z.output<typeof couponModel>;

/** `GET /api/admin/coupons`: newest first. */
export const listCouponsCall = contract({
  method: 'GET',
  path: '/api/admin/coupons',
  output: z.array(couponModel),
});

/** What buyers type, or the beginning of it. */
const codeText = (name: string, max: number) =>
  line(name, { max })
    .transform((code) => code.toUpperCase())
    .refine(
      (code) => new RegExp(`^[A-Z0-9][A-Z0-9_-]{${COUPON_CODE_MIN - 1},${max - 1}}$`).test(code),
      `${name} must have ${COUPON_CODE_MIN} to ${max} letters, digits, hyphens or underscores`,
    );

const usageLimit = z
  .number({ error: 'Usage limit must be a whole number' })
  .int('Usage limit must be a whole number')
  .min(1, 'Usage limit must be at least 1')
  .max(1_000_000, 'Usage limit must be at most 1,000,000')
  .nullish();

const couponRule = {
  /** The one course that it applies to; null or left out for every course. */
  courseId: id('Course').nullish(),
  /** A moment in ISO 8601 after which nobody can use it; null or left out for never. */
  expiresAt: z.iso
    .datetime({ offset: true, error: 'Expiry must be a date and time' })
    .refine((value) => Date.parse(value) > Date.now(), 'Expiry must be in the future')
    .nullish(),
  /** Orders that may use it in all; null or left out for any number. */
  usageLimit,
};
const WRONG_PERCENT = 'Percent must be a whole number from 1 to 100';
const WRONG_AMOUNT_OFF = 'Amount must be dollars and cents, from 0.01 to 999999.99';

const percentOff = z
  .number({ error: WRONG_PERCENT })
  .int(WRONG_PERCENT)
  .min(1, WRONG_PERCENT)
  .max(100, WRONG_PERCENT);
const amountOff = dollars(WRONG_AMOUNT_OFF, WRONG_AMOUNT_OFF, 1, PRICE_MAX_CENTS);

/** What a coupon takes off and for whom, with further fields. */
const couponInput = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.discriminatedUnion(
    'kind',
    [
      z.object({ kind: z.literal('percent'), ...couponRule, ...fields, percentOff }),
      z.object({ kind: z.literal('fixed'), ...couponRule, ...fields, amountOff }),
    ],
    { error: 'Kind must be percent or fixed' },
  );

/** `POST /api/admin/coupons`: every buyer can use a coupon once. */
export const createCouponCall = contract({
  method: 'POST',
  path: '/api/admin/coupons',
  input: couponInput({ code: codeText('Code', COUPON_CODE_MAX) }),
  output: couponModel,
});
export type NewCoupon = z.output<NonNullable<typeof createCouponCall.input>>;

/** Characters of what the codes of a batch begin with. */
export const BATCH_PREFIX_MAX = 20;
/** Codes that are made together. */
export const BATCH_MAX = 1000;
const WRONG_NUMBER = `Number of codes must be a whole number from 1 to ${BATCH_MAX.toLocaleString('en-US')}`;

/** Coupons that were made together. */
export const couponBatchModel = z.object({
  /** What their codes begin with, by which they are known. */
  prefix: z.string(),
  codes: z.number(),
  /** Those that are not switched off. */
  switchedOn: z.number(),
});

/**
 * `POST /api/admin/coupon-batches`: many coupons of the same rule at once, each with a code of its own that nobody can
 * guess: all of them or none.
 */
export const createCouponBatchCall = contract({
  method: 'POST',
  path: '/api/admin/coupon-batches',
  input: couponInput({
    prefix: codeText('Prefix', BATCH_PREFIX_MAX),
    number: z
      .number({ error: WRONG_NUMBER })
      .int(WRONG_NUMBER)
      .min(1, WRONG_NUMBER)
      .max(BATCH_MAX, WRONG_NUMBER),
    /** Orders that may use one code in all: one where it is left out, as in the form; null for any number. */
    usageLimit: usageLimit.default(1),
  }),
  output: couponBatchModel,
});
export type NewCouponBatch = z.output<NonNullable<typeof createCouponBatchCall.input>>;

/** `PUT /api/admin/coupon-batches/{prefix}`: switches all its coupons off, or on again. Orders that hold one keep it. */
export const setCouponBatchActiveCall = contract({
  method: 'PUT',
  path: '/api/admin/coupon-batches/{prefix}',
  params: z.object({ prefix: codeText('Prefix', BATCH_PREFIX_MAX) }),
  input: z.object({ isActive: z.boolean({ error: 'isActive must be true or false' }) }),
  output: couponBatchModel,
});

/** `PUT /api/admin/coupons/{id}`: switches a coupon off, or on again. Orders that hold it keep it. */
export const setCouponActiveCall = contract({
  method: 'PUT',
  path: '/api/admin/coupons/{id}',
  params: z.object({ id: idInPath('Coupon') }),
  input: z.object({ isActive: z.boolean({ error: 'isActive must be true or false' }) }),
  output: couponModel,
});
