// Runs Wake.astro's scripts at pointer or focus; at once when signed in.
for (const template of document.querySelectorAll<HTMLTemplateElement>('template[data-wakes]')) {
  const places = `:is(${template.dataset.wakes})`;
  const wake = () => template.replaceWith(template.content);
  // After a failed load a waiting form (head-script.ts) is sent plainly.
  for (const script of template.content.querySelectorAll('script'))
    script.onerror = () => {
      for (const place of document.querySelectorAll(`${places}[ssr]`)) place.removeAttribute('ssr');
    };
  for (const type of ['pointerover', 'focusin', 'submit'])
    document.addEventListener(
      type,
      ({ target }) => target instanceof Element && target.closest(places) && wake(),
    );
  if (
    document.documentElement.dataset.auth === 'in' ||
    document.querySelector(`${places}:is(:hover, :focus-within)`)
  )
    wake();
}
