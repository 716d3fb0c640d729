import { setBusy } from '#src/components/busy-button.ts';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { loginPath } from '#src/shared/paths.ts';
import type { CourseState } from './cart.ts';
import { $changesElsewhere, cartChanged } from './cart.store.ts';

type Wish = 'add' | 'buy';

const ASKED_KEY = 'asked-course';

/** The sign-in leads back here, and the wish is granted once (spec 5, decision 24). */
function askToSignIn(wish: Wish, id: number): void {
  toastOnNextPage({
    title:
      wish === 'add' ? 'Please sign in to add courses to your cart' : 'Please sign in to purchase courses',
  });
  try {
    sessionStorage.setItem(ASKED_KEY, String(id));
  } catch {
    // Then a free course is taken in the checkout.
  }
  const back = `${location.pathname}?${wish}=${id}`;
  location.assign(loginPath(back));
}

/** Removes the wish from the address, so that a reload does not repeat it. */
function takeWish(id: number): Wish | null {
  const address = new URL(location.href);
  const wish = (['add', 'buy'] as const).find((name) => address.searchParams.get(name) === String(id));
  if (!wish) return null;
  address.searchParams.delete('add');
  address.searchParams.delete('buy');
  history.replaceState(history.state, '', address);
  return wish;
}

/** A stranger's link may carry a wish too; it must not enroll. */
function wasAskedHere(id: number): boolean {
  try {
    const asked = sessionStorage.getItem(ASKED_KEY);
    sessionStorage.removeItem(ASKED_KEY);
    return asked === String(id);
  } catch {
    return false;
  }
}

class CourseActions extends HTMLElement {
  private state = this.dataset.state as CourseState;
  private thingId = Number(this.dataset.id);
  private isBundle = this.dataset.kind === 'bundle';
  private isFree = 'free' in this.dataset;

  connectedCallback(): void {
    this.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      this.act((event.submitter as HTMLButtonElement).value as Wish);
    });
    document.querySelector('form.buy-bar')?.addEventListener('submit', (event) => {
      event.preventDefault();
      this.act('buy');
    });
    // A disabled button loses the focus: it is shown only after blur.
    this.button('add')?.addEventListener('blur', () => this.show());
    this.removeAttribute('ssr');
    $changesElsewhere.listen(() => void this.readCart());
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted && this.querySelector('[aria-busy]')) location.reload();
    });
    if (this.state === 'signed-out') return;
    const wish = takeWish(this.thingId);
    const takesFree = wish === 'buy' && this.isFree && this.state !== 'enrolled';
    if (takesFree && wasAskedHere(this.thingId)) void this.enroll();
    else if (wish && this.state === 'none') void this.add(wish);
    else if (wish === 'buy' && this.state === 'in-cart') location.assign('/checkout');
  }

  private button(wish: Wish): HTMLButtonElement | null {
    return this.querySelector(`button[value=${wish}]`);
  }

  private thing(): { courseId: number } | { bundleId: number } {
    return this.isBundle ? { bundleId: this.thingId } : { courseId: this.thingId };
  }

  private act(wish: Wish): void {
    if (this.querySelector('[aria-busy]')) return;
    if (this.state === 'signed-out') askToSignIn(wish, this.thingId);
    else if (wish === 'buy' && this.isFree) void this.enroll();
    else if (this.state !== 'in-cart') void this.add(wish);
    else if (wish === 'buy') location.assign('/checkout');
  }

  private begin(wish: Wish): () => void {
    const button = this.button(wish)!;
    // A free course has no second one.
    const other = this.button(wish === 'buy' ? 'add' : 'buy');
    setBusy(button, true);
    if (other) other.disabled = true;
    return () => {
      setBusy(button, false);
      if (other) other.disabled = false;
      this.show();
    };
  }

  private async enroll(): Promise<void> {
    const end = this.begin('buy');
    const { enrollFree } = await import('./cart-calls.ts');
    const { state, refusal, isStale } = await enrollFree(this.thingId);
    if (state === 'signed-out') {
      askToSignIn('buy', this.thingId);
      return;
    }
    this.state = state;
    if (isStale) {
      toastOnNextPage({ title: refusal!, variant: 'destructive' });
      location.reload();
      return;
    }
    if (refusal) toast({ title: refusal, variant: 'destructive' });
    else {
      cartChanged();
      toastOnNextPage({ title: 'The course is yours', description: 'It is under My Courses from now on.' });
      location.assign(`/learn/${this.thingId}`);
      return;
    }
    end();
  }

  private async add(wish: Wish): Promise<void> {
    const end = this.begin(wish);
    const { addToCart } = await import('./cart-calls.ts');
    const { state, refusal, notice } = await addToCart(this.thing());
    if (state === 'signed-out') {
      askToSignIn(wish, this.thingId);
      return;
    }
    this.state = state;
    if (refusal) toast({ title: refusal, variant: 'destructive' });
    else {
      cartChanged();
      const title = this.isBundle ? 'Bundle added to cart' : 'Course added to cart';
      if (wish === 'buy') {
        if (notice) toastOnNextPage({ title, description: notice });
        location.assign('/checkout');
        return;
      }
      toast({
        title,
        ...(notice ? { description: notice } : {}),
        action: { label: 'View cart', href: '/cart' },
      });
    }
    end();
  }

  private async readCart(): Promise<void> {
    if (this.state !== 'none' && this.state !== 'in-cart') return;
    const { isInCart } = await import('./cart-calls.ts');
    const now = await isInCart(this.thing());
    if (now === null || this.querySelector('[aria-busy]')) return;
    this.state = now ? 'in-cart' : 'none';
    this.show();
  }

  private show(): void {
    const button = this.button('add');
    if (this.state === 'enrolled') {
      this.replaceChildren(this.querySelector('template')?.content ?? '');
      this.querySelector('a')?.focus();
    } else if (button) {
      const isInCart = this.state === 'in-cart';
      for (const label of button.querySelectorAll<HTMLElement>('[data-while]')) {
        label.hidden = (label.dataset.while === 'in-cart') !== isInCart;
      }
      button.disabled = isInCart && document.activeElement !== button;
      button.ariaDisabled = isInCart ? 'true' : null;
    }
  }
}

if (!customElements.get('course-actions')) customElements.define('course-actions', CourseActions);
