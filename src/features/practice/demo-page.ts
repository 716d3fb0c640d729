// The demonstration's own script: everything happens in this browser, nothing is sent anywhere.
import { runLocally } from './local-run.ts';
import { EMPTY_CODE, EXECUTION_ERROR, verdictText } from './practice.ts';

const root = document.querySelector<HTMLElement>('[data-demo]')!;
const find = <E extends HTMLElement>(name: string) => root.querySelector<E>(`[data-${name}]`)!;
const editor = find<HTMLTextAreaElement>('code');
const runButton = find<HTMLButtonElement>('run');
const output = find('output');
const verdict = find('verdict');
const hintButton = find<HTMLButtonElement>('hint');
const hints = [...root.querySelectorAll<HTMLElement>('[data-hints] > li')];
const starter = editor.defaultValue;
const expected = root.dataset.expected!;
let running = false;

function say(tone: 'success' | 'warning' | 'danger' | null, title = '', text = ''): void {
  verdict.dataset.tone = tone ?? '';
  verdict.replaceChildren();
  if (!tone) return;
  const strong = document.createElement('strong');
  strong.textContent = title;
  verdict.append(strong, text && ` ${text}`);
}

async function run(): Promise<void> {
  if (running) return;
  if (!editor.value.trim()) {
    say('danger', EMPTY_CODE.title, EMPTY_CODE.description);
    editor.focus();
    return;
  }
  running = true;
  runButton.setAttribute('aria-disabled', 'true');
  say(null);
  output.textContent = 'Running…';
  const { output: printed, problem } = await runLocally(editor.value);
  output.textContent = printed || 'The program printed nothing.';
  if (problem) say('danger', EXECUTION_ERROR.title, problem);
  else if (printed.trimEnd() === expected) {
    say('success', verdictText('pass').title, `Your program prints “${expected}”.`);
  } else {
    say('warning', verdictText('wrong_answer').title, `The output should be exactly “${expected}”.`);
  }
  running = false;
  runButton.removeAttribute('aria-disabled');
}

function showHints(count: number): void {
  for (const [index, hint] of hints.entries()) hint.hidden = index >= count;
  hintButton.textContent =
    count < hints.length
      ? `Show hint ${count + 1} of ${hints.length}`
      : `You have seen all ${hints.length} hints`;
  hintButton.disabled = count >= hints.length;
}

runButton.addEventListener('click', () => void run());
editor.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  void run();
});
hintButton.addEventListener('click', () => showHints(hints.filter(({ hidden }) => !hidden).length + 1));
find('reset').addEventListener('click', () => {
  editor.value = starter;
  output.textContent = 'Run your code to see what it prints.';
  say(null);
  showHints(0);
  editor.focus();
});
root.dataset.ready = '';
root.removeAttribute('ssr');
