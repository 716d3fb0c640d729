import type { Stripe } from '@stripe/stripe-js';

export type PaymentSettings = {
  publishableKey: string;
  /** The sandbox or test keys (decision 27). */
  testMode: boolean;
  scriptUrl: string | null;
};

/** Fault F13. */
const LOAD_TIMEOUT_MS = 20_000;

let loaded: Promise<Stripe> | undefined;

/** Loads the script once per page; a call after a failure tries again. */
export function loadPaymentScript(settings: PaymentSettings): Promise<Stripe> {
  loaded ??= inTime(load(settings)).catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function load({ scriptUrl, publishableKey }: PaymentSettings): Promise<Stripe> {
  if (scriptUrl) await addScript(scriptUrl);
  // Node cannot resolve this entry when it renders the page.
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('The payment script works in browsers only.');
  return stripe;
}

function addScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error('The payment script could not be loaded.'));
    };
    document.head.append(script);
  });
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The payment script did not come in time.')), LOAD_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
