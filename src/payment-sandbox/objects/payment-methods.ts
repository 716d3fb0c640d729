import type Stripe from 'stripe';
import { brandOf, expiryProblem, numberProblem } from './card-number.ts';
import { ApiError, missing } from '#src/payment-sandbox/http/errors.ts';
import { buildPaymentMethod, NO_ADDRESS } from './objects.ts';
import type { Params } from '#src/payment-sandbox/http/params.ts';
import type { State } from '#src/payment-sandbox/state.ts';
import { cardById, cardFacts } from './test-cards.ts';

function cardError(code: string, param: string, message: string): ApiError {
  return new ApiError(402, { type: 'card_error', code, param, message }, false);
}

function readAddress(params: Params | undefined): Stripe.Address | null {
  if (!params) return null;
  const address = { ...NO_ADDRESS };
  for (const key of ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const) {
    address[key] = params.text(key) || null;
  }
  return address;
}

function readBilling(params: Params | undefined): Stripe.PaymentMethod.BillingDetails {
  return {
    address: readAddress(params?.group('address')) ?? { ...NO_ADDRESS },
    email: params?.text('email') || null,
    name: params?.text('name') || null,
    phone: params?.text('phone') || null,
    tax_id: params?.text('tax_id') || null,
  };
}

export interface ReadMethod {
  method: Stripe.PaymentMethod;
  store(): Stripe.PaymentMethod;
}

/** Reads `type`, `card` and `billing_details`, the parameters of a new payment method and of `payment_method_data`. */
export function readMethodData(state: State, params: Params): ReadMethod {
  const type = params.requiredText('type');
  if (type !== 'card') {
    throw new ApiError(
      400,
      {
        type: 'invalid_request_error',
        code: 'payment_method_type_unsupported',
        param: params.nameOf('type'),
        message: `The payment method type "${type.slice(0, 40)}" is not available here: this sandbox takes cards.`,
      },
      false,
    );
  }
  params.oneOf('allow_redisplay', ['always', 'limited', 'unspecified']);
  const card = params.group('card');
  if (!card) throw params.missing('card');
  const number = card.requiredText('number').replace(/[\s-]/g, '');
  const month = card.integer('exp_month');
  const year = card.integer('exp_year');
  const cvc = card.text('cvc') || undefined;
  card.group('networks')?.text('preferred');
  const billing = readBilling(params.group('billing_details'));
  const metadata = params.metadata({});

  if (!/^\d+$/.test(number) || numberProblem(number)) {
    throw cardError('incorrect_number', 'number', 'Your card number is incorrect.');
  }
  if (month === undefined) throw card.missing('exp_month');
  if (year === undefined) throw card.missing('exp_year');
  if (month < 1 || month > 12) {
    throw cardError('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  }
  const expiry = { month, year: year < 100 ? 2000 + year : year };
  const problem = expiryProblem(expiry);
  if (problem) {
    const part = problem === 'invalid_expiry_month_past' ? 'month' : 'year';
    throw cardError(`invalid_expiry_${part}`, `exp_${part}`, `Your card's expiration ${part} is invalid.`);
  }
  if (cvc !== undefined && (!/^\d+$/.test(cvc) || cvc.length !== brandOf(number).cvcLength)) {
    throw cardError('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  const facts = cardFacts(number);
  const method = buildPaymentMethod(facts, expiry, billing, metadata, cvc !== undefined);
  return { method, store: () => storeMethod(state, method, facts.behaviour) };
}

function storeMethod(
  state: State,
  method: Stripe.PaymentMethod,
  behaviour: ReturnType<typeof cardFacts>['behaviour'],
): Stripe.PaymentMethod {
  state.put('behaviours', method.id, behaviour);
  return state.put('payment_methods', method.id, method);
}

/** The payment method with this id. */
export function readMethodId(state: State, id: string): ReadMethod {
  const known = state.get('payment_methods', id);
  if (known) return { method: known, store: () => known };
  const card = cardById(id);
  if (!card) throw missing('PaymentMethod', id, 'payment_method');
  const facts = cardFacts(card.number);
  const expiry = { month: 12, year: new Date().getFullYear() + 4 };
  const method = buildPaymentMethod(facts, expiry, readBilling(undefined), {}, true);
  return { method, store: () => storeMethod(state, method, facts.behaviour) };
}

/** Reads `payment_method` or `payment_method_data`, whichever was sent. */
export function readMethod(state: State, params: Params): ReadMethod | null {
  const id = params.text('payment_method');
  const data = params.group('payment_method_data');
  if (data) return readMethodData(state, data);
  return id ? readMethodId(state, id) : null;
}
