import { type CardBrand, brandOf } from './card-number.ts';

export interface Refusal {
  code: string;
  declineCode?: string;
  message: string;
}

export interface CardBehaviour {
  challenge?: boolean;
  refusal?: Refusal;
  processing?: 'succeeds' | 'fails';
  dispute?: 'fraudulent' | 'product_not_received';
  refund?: 'succeeds_later' | 'fails_later';
  cvcCheck?: 'pass' | 'fail';
}

interface TestCard {
  number: string;
  ids: readonly string[];
  behaviour: CardBehaviour;
  funding?: 'credit' | 'debit' | 'prepaid';
}

export const PROCESSING_THEN_SUCCEEDS = '4000000000770000';
export const PROCESSING_THEN_FAILS = '4000000000770018';

const declined = (declineCode: string, message = 'Your card was declined.'): CardBehaviour => ({
  refusal: { code: 'card_declined', declineCode, message },
});

const INSUFFICIENT_FUNDS = declined('insufficient_funds', 'Your card has insufficient funds.');

export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', ids: ['pm_card_visa'], behaviour: {} },
  { number: '4000056655665556', ids: ['pm_card_visa_debit'], behaviour: {}, funding: 'debit' },
  { number: '5555555555554444', ids: ['pm_card_mastercard'], behaviour: {} },
  { number: '2223003122003222', ids: [], behaviour: {} },
  { number: '5200828282828210', ids: ['pm_card_mastercard_debit'], behaviour: {}, funding: 'debit' },
  { number: '5105105105105100', ids: ['pm_card_mastercard_prepaid'], behaviour: {}, funding: 'prepaid' },
  { number: '378282246310005', ids: ['pm_card_amex'], behaviour: {} },
  { number: '371449635398431', ids: [], behaviour: {} },
  { number: '6011111111111117', ids: ['pm_card_discover'], behaviour: {} },
  { number: '3056930009020004', ids: ['pm_card_diners'], behaviour: {} },
  { number: '3566002020360505', ids: ['pm_card_jcb'], behaviour: {} },
  { number: '6200000000000005', ids: ['pm_card_unionpay'], behaviour: {} },
  // The provider uses this one for funds that are available at once; here it is an ordinary success.
  { number: '4000000000000077', ids: ['pm_card_bypassPending'], behaviour: {} },

  {
    number: '4000000000000002',
    ids: ['pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined'],
    behaviour: declined('generic_decline'),
  },
  {
    number: '4000000000009995',
    ids: ['pm_card_chargeDeclinedInsufficientFunds', 'pm_card_visa_chargeDeclinedInsufficientFunds'],
    behaviour: INSUFFICIENT_FUNDS,
  },
  {
    number: '4000000000009987',
    ids: ['pm_card_chargeDeclinedLostCard', 'pm_card_visa_chargeDeclinedLostCard'],
    behaviour: declined('lost_card'),
  },
  {
    number: '4000000000009979',
    ids: ['pm_card_chargeDeclinedStolenCard', 'pm_card_visa_chargeDeclinedStolenCard'],
    behaviour: declined('stolen_card'),
  },
  {
    number: '4000000000006975',
    ids: ['pm_card_visa_chargeDeclinedVelocityLimitExceeded'],
    behaviour: declined(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    ),
  },
  {
    number: '4000000000000069',
    ids: ['pm_card_chargeDeclinedExpiredCard'],
    behaviour: { refusal: { code: 'expired_card', message: 'Your card has expired.' } },
  },
  {
    number: '4000000000000127',
    ids: ['pm_card_chargeDeclinedIncorrectCvc'],
    behaviour: {
      refusal: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
      cvcCheck: 'fail',
    },
  },
  {
    number: '4000000000000119',
    ids: ['pm_card_chargeDeclinedProcessingError'],
    behaviour: {
      refusal: {
        code: 'processing_error',
        message: 'An error occurred while processing your card. Try again in a little bit.',
      },
    },
  },
  { number: '4100000000000019', ids: ['pm_card_radarBlock'], behaviour: declined('fraudulent') },

  {
    number: '4000002500003155',
    ids: ['pm_card_authenticationRequiredOnSetup'],
    behaviour: { challenge: true },
  },
  { number: '4000002760003184', ids: ['pm_card_authenticationRequired'], behaviour: { challenge: true } },
  {
    number: '4000000000003220',
    ids: ['pm_card_threeDSecure2Required', 'pm_card_threeDSecureRequired'],
    behaviour: { challenge: true },
  },
  {
    number: '4000008400001629',
    ids: ['pm_card_threeDSecureRequiredChargeDeclined'],
    behaviour: { challenge: true, ...declined('generic_decline') },
  },
  {
    number: '4000008260003178',
    ids: ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'],
    behaviour: { challenge: true, ...INSUFFICIENT_FUNDS },
  },

  { number: '4000000000000259', ids: ['pm_card_createDispute'], behaviour: { dispute: 'fraudulent' } },
  {
    number: '4000000000002685',
    ids: ['pm_card_createDisputeProductNotReceived'],
    behaviour: { dispute: 'product_not_received' },
  },
  { number: '4000000000007726', ids: ['pm_card_pendingRefund'], behaviour: { refund: 'succeeds_later' } },
  { number: '4000000000005126', ids: ['pm_card_refundFail'], behaviour: { refund: 'fails_later' } },

  { number: PROCESSING_THEN_SUCCEEDS, ids: ['pm_card_processing'], behaviour: { processing: 'succeeds' } },
  { number: PROCESSING_THEN_FAILS, ids: ['pm_card_processingFails'], behaviour: { processing: 'fails' } },
];

const NOT_A_TEST_CARD: CardBehaviour = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card.',
);

/** What this number does. */
function behaviourOf(number: string): CardBehaviour {
  return TEST_CARDS.find((card) => card.number === number)?.behaviour ?? NOT_A_TEST_CARD;
}

/** The card behind a `pm_card_…` id, or null. */
export function cardById(id: string): TestCard | null {
  return TEST_CARDS.find((card) => card.ids.includes(id)) ?? null;
}

export interface CardFacts {
  brand: CardBrand;
  last4: string;
  funding: 'credit' | 'debit' | 'prepaid';
  behaviour: CardBehaviour;
}

/** The facts of a card number that a payment method stores. */
export function cardFacts(number: string): CardFacts {
  return {
    brand: brandOf(number).brand,
    last4: number.slice(-4),
    funding: TEST_CARDS.find((card) => card.number === number)?.funding ?? 'credit',
    behaviour: behaviourOf(number),
  };
}
