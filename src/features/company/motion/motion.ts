// Spec 9; without it, or with reduced motion, all is visible.
import { COUNT_UP_MS, countAt } from './count-up.ts';

const REVEAL_THRESHOLD = 0.1;
const PARALLAX_FACTOR = 0.5;

function countUp(element: HTMLElement): void {
  const value = Number(element.dataset.count);
  const suffix = element.dataset.suffix ?? '';
  const started = performance.now();
  const step = (now: number) => {
    element.textContent = countAt(value, now - started) + suffix;
    if (now - started < COUNT_UP_MS) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLElement)) continue;
        observer.unobserve(target);
        target.classList.remove('awaits-reveal');
        if (target.dataset.count) countUp(target);
      }
    },
    { threshold: REVEAL_THRESHOLD },
  );
  for (const element of document.querySelectorAll<HTMLElement>('[data-reveal], [data-count]')) {
    // Hiding what is on the screen would flash.
    if (element.getBoundingClientRect().top < innerHeight) continue;
    if (element.dataset.reveal !== undefined) element.classList.add('awaits-reveal');
    observer.observe(element);
  }

  const layers = document.querySelectorAll<HTMLElement>('[data-parallax]');
  // With scroll-driven animations CSS does it.
  if (layers.length > 0 && !CSS.supports('animation-timeline: scroll()')) {
    let waiting = false;
    addEventListener(
      'scroll',
      () => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => {
          waiting = false;
          for (const layer of layers) layer.style.translate = `0 ${scrollY * PARALLAX_FACTOR}px`;
        });
      },
      { passive: true },
    );
  }
}
