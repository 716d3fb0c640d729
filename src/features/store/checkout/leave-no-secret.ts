import { cartChanged } from '#src/features/store/cart/cart.store.ts';
// The address of the purchase success page holds the payment's secret and the buyer's name: neither stays in the
// browser's history. The page itself has read both by now; a reload is proven by the claim cookie.

/** Milliseconds between two looks at a payment that is still being processed. */
const POLL_MS = 5_000;

const arrived = location.href;
const address = new URL(arrived);
const kept = ['course', 'bundle'].flatMap((name) => {
  const id = address.searchParams.get(name);
  return id && /^\d{1,10}$/.test(id) ? `${name}=${id}` : [];
});
address.search = kept.length > 0 ? `?${kept.join('&')}` : '';
history.replaceState(history.state, '', address);

const state = document.querySelector<HTMLElement>('[data-purchase]')?.dataset.purchase;
// Looking at the page changes nothing: the order is completed by this form.
document.querySelector<HTMLFormElement>('form[data-finish]')?.submit();
if (state === 'processing') setTimeout(() => location.replace(arrived), POLL_MS);
if (state === 'mine') cartChanged();
