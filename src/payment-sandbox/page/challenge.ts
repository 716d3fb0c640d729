import type { Appearance, PaymentIntent, StripeError } from '@stripe/stripe-js';
import type { Answer } from './api-client.ts';
import { html } from './dom.ts';
import { applyAppearance, challengeStyle } from './style.ts';

function printAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/**
 * The bank's question in a modal dialog: complete, fail, or cancel (Escape and the close button fail it too).
 */
export function runChallenge(
  intent: PaymentIntent,
  appearance: Appearance | undefined,
  answer: (outcome: 'complete' | 'fail') => Promise<Answer<PaymentIntent>>,
): Promise<{ paymentIntent: PaymentIntent } | { error: StripeError }> {
  const { promise, resolve } = Promise.withResolvers<
    { paymentIntent: PaymentIntent } | { error: StripeError }
  >();
  const host = html('div', { class: 'PaymentSandboxChallenge' });
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [challengeStyle()];
  applyAppearance(host, appearance);

  const complete = html('button', { type: 'button', class: 'primary' }, 'Complete authentication');
  const fail = html('button', { type: 'button', class: 'plain' }, 'Fail authentication');
  const close = html(
    'button',
    { type: 'button', class: 'close', 'aria-label': 'Cancel authentication' },
    '×',
  );
  const status = html('p', { class: 'status', role: 'status' });
  const dialog = html(
    'dialog',
    { 'aria-labelledby': 'challenge-title', 'aria-describedby': 'challenge-text' },
    html('div', { class: 'bar' }, html('h2', { id: 'challenge-title' }, '3-D Secure authentication'), close),
    html(
      'div',
      { class: 'body' },
      html(
        'p',
        { id: 'challenge-text' },
        "This is a test. A bank would ask for its customer's approval here. Choose how the authentication ends.",
      ),
      html('dl', {}, html('dt', {}, 'Amount'), html('dd', {}, printAmount(intent.amount, intent.currency))),
      html('div', { class: 'actions' }, complete, fail),
      status,
    ),
  );
  root.append(dialog);
  document.body.append(host);
  const opener = document.activeElement;
  let busy = false;

  const choose = async (outcome: 'complete' | 'fail') => {
    if (busy) return;
    busy = true;
    for (const button of [complete, fail, close]) button.disabled = true;
    status.textContent = '';
    const result = await answer(outcome);
    if (!result.ok && result.error.type === 'api_connection_error') {
      busy = false;
      for (const button of [complete, fail, close]) button.disabled = false;
      status.textContent = result.error.message ?? 'The answer could not be sent. Please try again.';
      (outcome === 'complete' ? complete : fail).focus();
      return;
    }
    dialog.close();
    host.remove();
    if (opener instanceof HTMLElement) opener.focus();
    resolve(result.ok ? { paymentIntent: result.value } : { error: result.error });
  };

  complete.addEventListener('click', () => void choose('complete'));
  fail.addEventListener('click', () => void choose('fail'));
  close.addEventListener('click', () => void choose('fail'));
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    void choose('fail');
  });
  dialog.showModal();
  complete.focus();
  return promise;
}
