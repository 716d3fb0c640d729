import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { $toast } from '#src/components/toast.store.ts';
import { totalsOf } from '#src/features/store/cart/cart.ts';
import { createPaymentIntentCall } from '#src/features/store/checkout/schema.ts';
import { ApiError, call } from '#src/shared/api.ts';
import { couponFieldOf, createPayment, type Purchase } from './payment.ts';
import { FORM_NOT_LOADED } from './payment-messages.ts';

type Bought = { cents: number };
type Answer = { status?: number; body: unknown };

const SETTINGS = { publishableKey: 'pk_test_1', testMode: true, scriptUrl: null };
const opened = { clientSecret: 'secret', orderId: 1, status: 'open', total: '49.00' };
const TEN_OFF = { code: 'TEN', discount: '10.00', total: '39.00', reduced: false };
const COUPON_ENDED = { message: 'The coupon ended', fields: { couponCode: 'The coupon ended' } };

/** The provider's script as the page has loaded it. */
const stripe = Object.assign(() => ({ name: 'stripe' }), { version: 'endive' });

/** Answers of the server by path, in the order of the calls. */
let answers: Record<string, Answer[]>;
let asked: { path: string; input: unknown }[];
const ofPath = (path: string) => asked.filter((one) => one.path === path).map(({ input }) => input);
const AMOUNT = '/api/create-payment-intent';
const COUPON = '/api/apply-coupon';

function paymentOf(change: Partial<Purchase<Bought>> = {}) {
  return createPayment<Bought>({
    bought: { cents: 4900 },
    settings: SETTINGS,
    wantedCoupon: null,
    readsAnew: false,
    read: async () => ({ cents: 3900 }),
    totalsOf: ({ cents }) => totalsOf([{ priceCents: cents, originalPriceCents: null }]),
    begin: (input) => call(createPaymentIntentCall, { input }),
    isChanged: ({ status }) => status === 409,
    isTakenOver: ({ status }) => status === 401,
    onCompleted: vi.fn(),
    ...change,
  });
}

beforeEach(() => {
  answers = { [AMOUNT]: [{ body: opened }] };
  asked = [];
  $toast.set(null);
  vi.stubGlobal('location', { origin: 'http://site.test', href: 'http://site.test/checkout' });
  vi.stubGlobal('history', { state: null, replaceState: vi.fn() });
  vi.stubGlobal('document', {});
  vi.stubGlobal('window', { Stripe: stripe });
  vi.stubGlobal('fetch', async (url: URL, { body }: { body?: string }) => {
    asked.push({ path: url.pathname, input: body && JSON.parse(body) });
    const answer = answers[url.pathname]?.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200 });
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('preparing a payment', () => {
  it('begins it at the server and shows the form', async () => {
    const payment = paymentOf();
    expect(payment.$state.get().phase).toEqual({ name: 'preparing' });
    await payment.begin();
    expect(ofPath(AMOUNT)).toEqual([{ amount: 49 }]);
    expect(payment.$state.get().phase).toMatchObject({ name: 'paying', clientSecret: 'secret' });
  });

  it('asks the provider nothing about what is free', async () => {
    const payment = paymentOf({ bought: { cents: 0 }, settings: null });
    await payment.begin();
    expect(asked).toEqual([]);
    expect(payment.$state.get().phase).toEqual({ name: 'free' });
  });

  it('is over where the order is complete already, and waits where the bank still decides', async () => {
    answers[AMOUNT] = [
      { body: { ...opened, clientSecret: null, status: 'completed' } },
      { body: { ...opened, clientSecret: null, status: 'processing' } },
    ];
    const onCompleted = vi.fn();
    await paymentOf({ onCompleted }).begin();
    expect(onCompleted).toHaveBeenCalledOnce();
    const waiting = paymentOf();
    await waiting.begin();
    expect(waiting.$state.get().phase).toEqual({ name: 'processing', intentId: null });
  });

  it('reads anew what changed meanwhile, and shows it', async () => {
    answers[AMOUNT] = [{ status: 409, body: { message: 'The price changed' } }, { body: opened }];
    const payment = paymentOf();
    await payment.begin();
    expect(ofPath(AMOUNT)).toEqual([{ amount: 49 }, { amount: 39 }]);
    expect(payment.$state.get()).toMatchObject({ bought: { cents: 3900 }, phase: { name: 'paying' } });
  });

  it('gives up after three attempts, so that no page asks for ever', async () => {
    answers[AMOUNT] = Array.from({ length: 9 }, () => ({ status: 409, body: { message: 'It changed' } }));
    const payment = paymentOf();
    await payment.begin();
    expect(ofPath(AMOUNT)).toHaveLength(3);
    expect(payment.$state.get().phase).toEqual({ name: 'setup-failed', message: 'It changed' });
  });

  it('says what failed, and works at the next try', async () => {
    answers[AMOUNT] = [];
    const payment = paymentOf();
    await payment.begin();
    expect(payment.$state.get().phase).toEqual({ name: 'setup-failed', message: FORM_NOT_LOADED });
    expect($toast.get()?.title).toBe('Payment Setup Failed');
    answers[AMOUNT] = [{ body: opened }];
    await payment.prepare();
    expect(payment.$state.get().phase.name).toBe('paying');
  });

  it('leaves a refusal alone that the page takes over', async () => {
    answers[AMOUNT] = [{ status: 401, body: { message: 'Sign in' } }];
    const payment = paymentOf();
    await payment.begin();
    expect(payment.$state.get().phase).toEqual({ name: 'preparing' });
    expect($toast.get()).toBeNull();
  });

  it('keeps what is shown while it looks quietly, and is over when nothing is left to buy', async () => {
    const onCompleted = vi.fn();
    const payment = paymentOf({
      phase: { name: 'processing', intentId: null },
      readsAnew: true,
      isEmpty: ({ cents }) => cents === 3900,
      onCompleted,
    });
    await payment.prepare(true);
    expect(payment.$state.get().phase.name).toBe('processing');
    expect(onCompleted).toHaveBeenCalledOnce();
  });

  it('tells each notice once', async () => {
    const notices = [{ code: 'price_changed', courseId: 1, message: 'The price changed.' }];
    answers[AMOUNT] = [{ body: { ...opened, notices } }, { body: { ...opened, notices } }];
    const payment = paymentOf();
    await payment.begin();
    await payment.prepare();
    expect(payment.$state.get().notices).toEqual(['The price changed.']);
  });
});

describe('the coupon of a payment', () => {
  it('lowers what is asked for, and stays in the address', async () => {
    answers[COUPON] = [{ body: TEN_OFF }];
    const payment = paymentOf({ wantedCoupon: 'ten', thing: { courseId: 7 } });
    await payment.begin();
    expect(ofPath(COUPON)).toEqual([{ code: 'ten', courseId: 7 }]);
    expect(ofPath(AMOUNT)).toEqual([{ amount: 39, couponCode: 'TEN' }]);
    expect(String(vi.mocked(history.replaceState).mock.lastCall?.[2])).toContain('coupon=TEN');
  });

  it('is taken out where it is refused, and the order goes on at its full price', async () => {
    answers[COUPON] = [{ status: 400, body: COUPON_ENDED }];
    const payment = paymentOf({ wantedCoupon: 'TEN' });
    await payment.begin();
    expect(ofPath(AMOUNT)).toEqual([{ amount: 49 }]);
    expect(payment.$state.get()).toMatchObject({
      coupon: null,
      couponProblem: 'The coupon ended',
      phase: { name: 'paying' },
    });
  });

  it('leaves the form as it is where a typed one does not fit', async () => {
    const payment = paymentOf();
    await payment.begin();
    answers[COUPON] = [{ status: 400, body: COUPON_ENDED }];
    await payment.applyCoupon('TEN');
    expect(payment.$state.get()).toMatchObject({
      phase: { name: 'paying' },
      couponProblem: 'The coupon ended',
    });
    expect(ofPath(AMOUNT)).toHaveLength(1);
  });

  it('prepares the payment anew when it is applied and when it is removed', async () => {
    answers = {
      [COUPON]: [{ body: TEN_OFF }, { body: TEN_OFF }],
      [AMOUNT]: [{ body: opened }, { body: opened }],
    };
    const payment = paymentOf();
    await payment.applyCoupon('TEN');
    await vi.waitFor(() => expect(payment.$state.get().phase.name).toBe('paying'));
    payment.removeCoupon();
    expect(payment.$state.get().phase.name).toBe('preparing');
    await vi.waitFor(() => expect(payment.$state.get().phase.name).toBe('paying'));
    expect(ofPath(AMOUNT)).toEqual([{ amount: 39, couponCode: 'TEN' }, { amount: 49 }]);
  });

  it('can be changed until the payment is on its way', () => {
    const payment = paymentOf();
    const fieldIn = (name: 'preparing' | 'free' | 'confirming') =>
      couponFieldOf(payment, { ...payment.$state.get(), phase: { name } });
    expect(fieldIn('preparing')?.disabled).toBe(true);
    expect(fieldIn('free')?.disabled).toBe(false);
    expect(fieldIn('confirming')).toBeNull();
  });
});

it('drops a coupon only where a refusal is about it', async () => {
  answers[COUPON] = [{ body: TEN_OFF }];
  const payment = paymentOf({ wantedCoupon: 'TEN' });
  await payment.begin();
  expect(payment.dropCoupon(new ApiError(400, '', '{"message":"Try later"}'))).toBe(false);
  expect(payment.$state.get().coupon?.code).toBe('TEN');
  expect(payment.dropCoupon(new ApiError(400, '', JSON.stringify(COUPON_ENDED)))).toBe(true);
  expect(payment.$state.get().coupon).toBeNull();
});
