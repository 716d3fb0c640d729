import { useStore } from '@nanostores/react';
import { $changesElsewhere, cartChanged } from './cart.store.ts';
import { loginPath } from '#src/shared/paths.ts';
import { Check, ShoppingCart } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { addToCartCall, listCartCall } from '#src/features/store/schema.ts';

/** What a course is to the visitor when the page was made; see `courseStateFor`. */
export type InitialState = 'signed-out' | 'none' | 'in-cart' | 'enrolled';

type Wish = 'add' | 'buy';

/** Leads to the sign-in and back to this page, where the wish is granted once (spec 5, decision 24). */
function askToSignIn(wish: Wish, courseId: number): void {
  toastOnNextPage({
    title:
      wish === 'add' ? 'Please sign in to add courses to your cart' : 'Please sign in to purchase courses',
  });
  const back = `${location.pathname}?${wish}=${courseId}`;
  location.assign(loginPath(back));
}

/** The wish that the sign-in led back with; it leaves the address, so that a reload does not grant it again. */
function takeWish(courseId: number): Wish | null {
  const address = new URL(location.href);
  const wish = (['add', 'buy'] as const).find((name) => address.searchParams.get(name) === String(courseId));
  if (!wish) return null;
  address.searchParams.delete('add');
  address.searchParams.delete('buy');
  history.replaceState(history.state, '', address);
  return wish;
}

/** Buy Now and Add to Cart of one course, or what stands in their place (spec 2, course detail). */
export function CourseActions({
  course,
  state: initialState,
}: {
  course: { id: number; title: string; priceCents: number };
  state: InitialState;
}) {
  const [state, setState] = useState(initialState);
  const [busy, setBusy] = useState<Wish | null>(null);
  // A button that is disabled while it has the focus loses it to the page: it waits until the focus goes on.
  const [holdsFocus, setHoldsFocus] = useState(false);
  const ownedLink = useRef<HTMLAnchorElement>(null);
  const { id } = course;

  const add = useCallback(
    async (wish: Wish): Promise<void> => {
      setBusy(wish);
      try {
        await call(addToCartCall, { input: { courseId: id } });
        cartChanged();
        setHoldsFocus(document.activeElement instanceof HTMLButtonElement);
        setState('in-cart');
        if (wish === 'buy') {
          location.assign('/checkout');
          return;
        }
        toast({ title: 'Course added to cart', action: { label: 'View cart', href: '/cart' } });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          askToSignIn(wish, id);
          return;
        }
        if (error instanceof ApiError && error.code === 'already_owned') setState('enrolled');
        toast({ title: messageOf(error, 'Failed to add course to cart'), variant: 'destructive' });
      }
      setBusy(null);
    },
    [id],
  );

  const changes = useStore($changesElsewhere, { ssr: 'initial' });
  useEffect(() => {
    if (changes === 0) return;
    call(listCartCall, {}).then(
      (lines) => {
        const isThere = lines.some((line) => line.courseId === id);
        setState((now) => (now === 'none' || now === 'in-cart' ? (isThere ? 'in-cart' : 'none') : now));
      },
      () => {},
    );
  }, [changes, id]);

  const act = (wish: Wish) => {
    if (state === 'signed-out') askToSignIn(wish, id);
    else if (state !== 'in-cart') void add(wish);
    else if (wish === 'buy') location.assign('/checkout');
  };

  useEffect(() => {
    // The buttons are gone; what stands in their place takes their focus over.
    if (state === 'enrolled' && initialState !== 'enrolled') ownedLink.current?.focus();
  }, [state, initialState]);

  useEffect(() => {
    if (initialState === 'signed-out') return;
    const wish = takeWish(id);
    if (!wish || initialState === 'enrolled') return;
    if (initialState === 'none') void add(wish);
    else if (wish === 'buy') location.assign('/checkout');
  }, [id, initialState, add]);

  if (state === 'enrolled') {
    return (
      <>
        {initialState !== 'enrolled' && <Badge tone="success">Enrolled</Badge>}
        <Button ref={ownedLink} href="/dashboard" variant="secondary" size="lg" block>
          Go to Course
        </Button>
      </>
    );
  }
  return (
    <>
      <Button size="lg" block loading={busy === 'buy'} disabled={busy === 'add'} onClick={() => act('buy')}>
        {course.priceCents === 0 ? 'Enroll for free' : 'Buy Now'}
      </Button>
      <Button
        variant="secondary"
        size="lg"
        block
        loading={busy === 'add'}
        disabled={(state === 'in-cart' && !holdsFocus) || busy === 'buy'}
        aria-disabled={state === 'in-cart' || undefined}
        onBlur={() => setHoldsFocus(false)}
        onClick={() => act('add')}
      >
        {state === 'in-cart' ? <Check aria-hidden="true" /> : <ShoppingCart aria-hidden="true" />}
        {state === 'in-cart' ? 'In Cart' : 'Add to Cart'}
      </Button>
      {state === 'signed-out' && course.priceCents > 0 && (
        <a href={`/buy/${id}`} className="text-link self-center py-2 text-center text-sm">
          Buy without an account
        </a>
      )}
    </>
  );
}
