import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { nodesOf, parseScript } from './script-parser.ts';

/** What the preview's frame is told to show. */
export type PreviewContent =
  | { kind: 'page'; html: string }
  /** `script` is CommonJS whose exports hold `element`, a function that gives the element to show. */
  | { kind: 'react'; script: string };

export type Preview = PreviewContent | { kind: 'unreadable'; message: string };

interface PreviewSource {
  language: CodingLanguage;
  code: string;
  /** css only: the markup that is styled. */
  fixture: string;
  /** react only: what to show, such as `<Greeting name="Ada" />`; the component alone where it is null. */
  element: string | null;
}

/** The function that guarded loops call; the frame defines it, and it throws when a loop does not end. */
export const LOOP_GUARD = '__stillLooping';

/** Makes of a program what its preview shows: what to look at is decided here, in the frame nothing is compiled. */
export async function preparePreview({ language, code, fixture, element }: PreviewSource): Promise<Preview> {
  if (language === 'css') {
    // Escaped so that a program cannot end the style element; inside a string the escape reads as the same character.
    return page(`<style>${code.replaceAll('</', '<\\/')}</style>${fixture}`);
  }
  if (language === 'html') return page(await guardedHtml(code));
  return prepareReact(code, element);
}

function page(html: string): PreviewContent {
  return { kind: 'page', html: /^\s*<!doctype/i.test(html) ? html : `<!doctype html>${html}` };
}

async function guardedHtml(html: string): Promise<string> {
  if (!/<script/i.test(html)) return html;
  const { defaultTreeAdapter: tree, parse } = await import('parse5');
  const scripts: { start: number; end: number; code: string }[] = [];
  const visit = (node: import('parse5').DefaultTreeAdapterTypes.Node): void => {
    if (tree.isElementNode(node) && node.tagName === 'script') {
      const [text] = node.childNodes;
      const place = text?.sourceCodeLocation;
      if (text && tree.isTextNode(text) && place) {
        scripts.push({ start: place.startOffset, end: place.endOffset, code: text.value });
      }
      return;
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(html, { sourceCodeLocationInfo: true }));
  let guarded = html;
  for (const { start, end, code } of scripts.reverse()) {
    guarded = guarded.slice(0, start) + (guardLoops(code, false) ?? code) + guarded.slice(end);
  }
  return guarded;
}

/**
 * Puts a call of the guard into the body of every loop, on the same line, so that a loop that never ends cannot hang
 * the learner's page. Null for code that cannot be read.
 */
export function guardLoops(code: string, withJsx: boolean): string | null {
  const parsed = parseScript(code, withJsx);
  if (!('program' in parsed)) return null;
  const inserts: { at: number; text: string }[] = [];
  for (const node of nodesOf(parsed.program)) {
    if (!/^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type)) continue;
    const { body } = node as import('acorn').WhileStatement;
    if (body.type === 'BlockStatement') {
      inserts.push({ at: body.start + 1, text: `${LOOP_GUARD}();` });
    } else {
      inserts.push({ at: body.start, text: `{${LOOP_GUARD}();` }, { at: body.end, text: '}' });
    }
  }
  return inserts
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: insert }) => text.slice(0, at) + insert + text.slice(at), code);
}

async function prepareReact(code: string, element: string | null): Promise<Preview> {
  const parsed = parseScript(code, true);
  if (!('program' in parsed)) {
    return { kind: 'unreadable', message: `Line ${parsed.line}: ${parsed.message}` };
  }
  const component = componentName(parsed.program);
  const shown = element ?? (component ? `<${component} />` : null);
  if (!shown) return { kind: 'unreadable', message: 'There is no component to show yet.' };
  const { transform } = await import('sucrase');
  try {
    const { code: script } = transform(`${guardLoops(code, true)}\nexports.element = () => (${shown});\n`, {
      transforms: ['jsx', 'imports'],
      jsxRuntime: 'automatic',
      production: true,
    });
    return { kind: 'react', script };
  } catch (error) {
    return { kind: 'unreadable', message: (error as Error).message };
  }
}

/** The component of a program: its default export, `App`, or the last function with a capital (decision 49). */
function componentName(program: import('acorn').Node): string | null {
  const names: string[] = [];
  let exported: string | null = null;
  for (const statement of (program as import('acorn').Program).body) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement;
    const named =
      declaration?.type === 'VariableDeclaration'
        ? declaration.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : ''))
        : declaration && 'id' in declaration && declaration.id?.type === 'Identifier'
          ? [declaration.id.name]
          : [];
    names.push(...named.filter((name) => /^[A-Z]/.test(name)));
    if (statement.type === 'ExportDefaultDeclaration') {
      exported = named[0] ?? (declaration?.type === 'Identifier' ? declaration.name : null);
    }
  }
  return exported ?? names.find((name) => name === 'App') ?? names.at(-1) ?? null;
}
