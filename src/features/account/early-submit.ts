// A form whose island has not taken over yet would be sent past it. This script is small and runs first: it holds such
// a submit back and notes it on the form, and `useForm` makes up for it.

declare global {
  interface HTMLFormElement {
    /** Submitted before its island was there. */
    submittedEarly?: boolean;
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-island]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    form.submittedEarly = true;
  });
}

export {};
