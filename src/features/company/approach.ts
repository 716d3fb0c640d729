// Spec 2, 9; the steps are readable without it.

const STEP_MS = 3000;

for (const section of document.querySelectorAll<HTMLElement>('[data-approach]')) {
  const steps = [...section.querySelectorAll<HTMLElement>('[data-step]')];
  const toggle = section.querySelector<HTMLButtonElement>('[data-approach-toggle]')!;
  const stillness = matchMedia('(prefers-reduced-motion: reduce)');
  let current = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  let paused = stillness.matches;
  let held = false;
  let visible = false;

  const show = (index: number) => {
    current = index;
    section.dataset.current = String(index + 1);
    for (const [position, step] of steps.entries()) {
      if (position === index) step.setAttribute('aria-current', 'step');
      else step.removeAttribute('aria-current');
    }
  };

  const update = () => {
    clearInterval(timer);
    const running = !paused && !held && visible && !document.hidden;
    section.toggleAttribute('data-running', running);
    if (running) timer = setInterval(() => show((current + 1) % steps.length), STEP_MS);
  };

  const setHeld = (value: boolean) => {
    held = value;
    update();
  };

  const body = section.querySelector<HTMLElement>('[data-approach-body]')!;
  // Focus on the toggle does not pause the steps.
  body.addEventListener('pointerenter', () => setHeld(true));
  body.addEventListener('pointerleave', () => setHeld(body.matches(':focus-within')));
  body.addEventListener('focusin', () => setHeld(true));
  body.addEventListener('focusout', () => setHeld(body.matches(':hover')));
  document.addEventListener('visibilitychange', update);
  new IntersectionObserver(([entry]) => {
    visible = entry!.isIntersecting;
    update();
  }).observe(body);

  for (const [index, step] of steps.entries()) {
    // Plain text without this script.
    const heading = step.querySelector('h3')!;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'approach-step';
    button.append(...heading.childNodes);
    button.addEventListener('click', () => show(index));
    heading.append(button);
  }
  const setPaused = (value: boolean) => {
    paused = value;
    toggle.dataset.paused = String(value);
    toggle.querySelector('[data-label]')!.textContent = value ? 'Play' : 'Pause';
    update();
  };
  toggle.addEventListener('click', () => setPaused(!paused));
  stillness.addEventListener('change', () => setPaused(stillness.matches));
  toggle.hidden = false;
  // Reduced motion shows the finished drawing.
  show(paused ? steps.length - 1 : 0);
  setPaused(paused);
}
