/** See `tryQuizCall`. */
type Marked = {
  right: number;
  answers: {
    questionId: number;
    correctAnswer: number;
    explanation: string;
    explanationHtml?: string;
    feedback?: string[];
  }[];
};

const FAILED = 'Your answers could not be checked. Please try again.';

class QuizPreview extends HTMLElement {
  connectedCallback(): void {
    const form = this.querySelector('form');
    if (!form) return;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.check(form);
    });
    form.addEventListener('reset', () => {
      for (const marked of this.querySelectorAll<HTMLElement>('[data-state]')) delete marked.dataset.state;
      for (const verdict of this.querySelectorAll<HTMLElement>('[data-verdict]')) verdict.hidden = true;
      for (const input of form.querySelectorAll<HTMLInputElement>('label input')) input.disabled = false;
      this.say('');
      this.show('submit');
      form.querySelector<HTMLElement>('label input')?.focus();
    });
    this.removeAttribute('ssr');
  }

  private questions(): HTMLFieldSetElement[] {
    return [...this.querySelectorAll<HTMLFieldSetElement>('[data-question]')];
  }

  private show(type: 'submit' | 'reset'): void {
    for (const button of this.querySelectorAll('button')) button.hidden = button.type !== type;
  }

  private say(text: string): void {
    const outcome = this.querySelector<HTMLElement>('[data-outcome]');
    if (outcome) outcome.textContent = text;
  }

  private async check(form: HTMLFormElement): Promise<void> {
    const answers: Record<string, number> = {};
    let missing: HTMLFieldSetElement | undefined;
    for (const question of this.questions()) {
      const chosen = question.querySelector<HTMLInputElement>('label input:checked');
      if (chosen) {
        answers[question.dataset.question ?? ''] = Number(chosen.value);
        delete question.dataset.state;
      } else {
        question.dataset.state = 'missing';
        missing ??= question;
      }
    }
    if (missing) {
      this.say('Choose an answer to each question.');
      missing.querySelector<HTMLElement>('label input')?.focus();
      return;
    }
    const button = form.querySelector<HTMLButtonElement>('[type=submit]');
    if (button?.getAttribute('aria-busy') === 'true') return;
    button?.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(`/api/lessons/${this.dataset.lesson}/quiz-preview`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ answers }),
      });
      const body = await response.json();
      if (response.ok) this.mark(body as Marked);
      else this.say((body as { message?: string }).message ?? FAILED);
    } catch {
      this.say(FAILED);
    } finally {
      button?.removeAttribute('aria-busy');
    }
  }

  private mark({ right, answers }: Marked): void {
    for (const question of this.questions()) {
      const answer = answers.find(({ questionId }) => String(questionId) === question.dataset.question);
      if (!answer) continue;
      const inputs = [...question.querySelectorAll<HTMLInputElement>('label input')];
      const isRight = inputs.findIndex(({ checked }) => checked) === answer.correctAnswer;
      inputs.forEach((input, option) => {
        input.disabled = true;
        const label = input.closest('label');
        if (label && option === answer.correctAnswer) label.dataset.state = 'right';
        else if (label && input.checked) label.dataset.state = 'wrong';
      });
      const verdict = question.querySelector<HTMLElement>('[data-verdict]');
      if (!verdict) continue;
      const correct = inputs[answer.correctAnswer]?.closest('label')?.textContent?.trim();
      const { explanationHtml } = answer;
      const plain = explanationHtml === undefined ? answer.explanation.replaceAll('`', '') : '';
      verdict.textContent = [
        isRight ? 'Right.' : `Not quite: the answer is “${correct}”.`,
        ...(answer.feedback ?? []),
        plain,
      ]
        .join(' ')
        .trim();
      if (explanationHtml !== undefined) {
        // Sanitized by the server's Markdown renderer.
        verdict.insertAdjacentHTML('beforeend', `<div class="prose mt-1">${explanationHtml}</div>`);
      }
      verdict.hidden = false;
    }
    this.say(`${right} of ${answers.length} right.`);
    this.show('reset');
    this.querySelector<HTMLElement>('[data-outcome]')?.focus();
  }
}

if (!customElements.get('quiz-preview')) customElements.define('quiz-preview', QuizPreview);
