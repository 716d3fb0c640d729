import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { nodesOf, parseScript } from './script-parser.ts';

export type PreviewContent = { kind: 'page'; html: string } | { kind: 'react'; script: string };

export type Preview = PreviewContent | { kind: 'unreadable'; message: string };

interface PreviewSource {
  language: CodingLanguage;
  code: string;
  fixture: string;
  /** Null: the component alone. */
  element: string | null;
}

export const LOOP_GUARD = '__stillLooping';

/** What the preview shows of a program; the frame compiles nothing. */
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

/** Puts a guard into every loop, on the same line, so that an endless one cannot hang the page. */
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

/** The default export, `App`, or the last function with a capital (decision 49). */
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
