// Runs what a page keeps in Wake.astro once a pointer or the focus comes to what it is for; at once for who is signed in.
for (const template of document.querySelectorAll<HTMLTemplateElement>('template[data-wakes]')) {
  const places = `:is(${template.dataset.wakes})`;
  const wake = () => template.replaceWith(template.content);
  // What is lost on the way leaves no dead element: a form that was kept waiting (head-script.ts) is sent plainly.
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
