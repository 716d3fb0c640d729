// Runs Wake.astro's scripts at the first sign of use; at once when signed in.
const SIGNS = ['pointermove', 'pointerdown', 'focusin'];
const wake = () => {
  for (const sign of SIGNS) document.removeEventListener(sign, wake);
  for (const template of document.querySelectorAll<HTMLTemplateElement>('template[data-wakes]'))
    template.replaceWith(template.content);
};
for (const sign of SIGNS) document.addEventListener(sign, wake);
if (document.documentElement.dataset.auth === 'in') wake();
