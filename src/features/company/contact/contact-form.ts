// Without it the form posts to /contact/send.
import type { FieldErrors } from '#src/shared/errors.ts';

// The server rejects faster ones (MIN_FILL_MS in schema.ts).
const MIN_FILL_MS = 3000;
const arrived = performance.now();

type Control = HTMLInputElement | HTMLTextAreaElement;

/** Of this tab; without storage the text is still on the page. */
let drafts: Storage | undefined;
try {
  drafts = sessionStorage;
} catch {}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-contact-form]')) {
  const controls = [...form.querySelectorAll<Control>('input[required], textarea[required]')];
  const button = form.querySelector<HTMLButtonElement>('[data-submit]')!;
  const problem = form.querySelector<HTMLElement>('[data-problem]')!;
  const sendLabel = button.textContent;
  let sending = false;
  for (const control of controls) control.value ||= drafts?.getItem(control.id) ?? '';
  // The browser's bubbles would hide one error behind another.
  form.noValidate = true;

  const filled = (template: string, text: string) => {
    const copy = form.querySelector<HTMLTemplateElement>(`template[${template}]`)!.content.cloneNode(true);
    const element = copy as DocumentFragment;
    element.querySelector('span')!.textContent = text;
    return element;
  };

  const showError = (control: Control, text: string) => {
    const place = control.parentElement!.querySelector<HTMLElement>('[aria-live]')!;
    place.replaceChildren();
    if (text) {
      place.append(filled('data-error', text));
      place.firstElementChild!.id = `${control.id}-error`;
      control.setAttribute('aria-invalid', 'true');
      control.setAttribute('aria-describedby', `${control.id}-error`);
    } else {
      control.removeAttribute('aria-invalid');
      control.removeAttribute('aria-describedby');
    }
  };

  const complaint = (control: Control): string => {
    const label = control.labels![0]!.textContent!.trim();
    const value = control.value.trim();
    if (control.type === 'email' && (!value || control.validity.typeMismatch))
      return 'Please enter a valid email address';
    if (!value) return `${label} is required`;
    if (control.minLength > 0 && [...value].length < control.minLength)
      return `${label} must be at least ${control.minLength} characters`;
    return '';
  };

  const showErrors = (errors: FieldErrors) => {
    for (const control of controls) showError(control, errors[control.name] ?? '');
    controls.find(({ name }) => errors[name])?.focus();
  };

  const refuse = (text: string) => problem.replaceChildren(filled('data-alert', text));

  const send = async () => {
    const input: Record<string, unknown> = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value)]),
    );
    const wait = MIN_FILL_MS - (performance.now() - arrived);
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    input.elapsedMs = Math.ceil(performance.now() - arrived);
    const response = await fetch('/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(input),
    });
    if (response.ok) {
      form.reset();
      for (const { id } of controls) drafts?.removeItem(id);
      location.hash = 'message-sent';
      document.getElementById('message-sent')!.focus();
      return;
    }
    const body: { message?: string; fields?: FieldErrors } = await response.json().catch(() => ({}));
    if (body.fields && Object.keys(body.fields).length > 0) showErrors(body.fields);
    else refuse(body.message ?? 'Your message could not be sent. Please try again.');
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending) return;
    problem.replaceChildren();
    const errors: FieldErrors = {};
    for (const control of controls) {
      const text = complaint(control);
      if (text) errors[control.name] = text;
    }
    showErrors(errors);
    if (Object.keys(errors).length > 0) return;
    sending = true;
    button.textContent = form.dataset.sending!;
    button.setAttribute('aria-disabled', 'true');
    try {
      await send();
    } catch {
      refuse('The connection failed. Nothing is lost: please try again.');
    } finally {
      sending = false;
      button.textContent = sendLabel;
      button.removeAttribute('aria-disabled');
    }
  });

  form.addEventListener('input', ({ target }) => {
    const control = controls.find((candidate) => candidate === target);
    if (control) drafts?.setItem(control.id, control.value);
    if (control?.ariaInvalid && !complaint(control)) showError(control, '');
  });
}
