import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';

export interface Finding {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  message: string;
}

const FINDINGS_MAX = 20;

export async function lint(language: CodingLanguage, code: string): Promise<Finding[]> {
  if (code.trim() === '') return [];
  const findings = (await LINTERS[language]?.(code)) ?? [];
  return findings.slice(0, FINDINGS_MAX);
}

const LINTERS: Partial<Record<CodingLanguage, (code: string) => Promise<Finding[]>>> = {
  javascript: (code) => lintScript(code, false),
  react: (code) => lintScript(code, true),
  python: lintPython,
  html: lintHtml,
  css: lintCss,
};

function at(line: number, column: number, length: number, message: string): Finding {
  return { line, column, endLine: line, endColumn: column + Math.max(1, length), message };
}

const SCRIPT_MESSAGES: Record<string, string> = {
  'Unexpected token.': 'This does not fit here. Something before it is missing or too much.',
  'Unterminated string constant.': 'The quote that ends this text is missing.',
  'Unterminated template.': 'The backtick that ends this text is missing.',
};

async function lintScript(code: string, withJsx: boolean): Promise<Finding[]> {
  const { parseScript } = await import('./script-parser.ts');
  const parsed = parseScript(code, withJsx);
  if ('program' in parsed) return [];
  return [at(parsed.line, parsed.column, 1, SCRIPT_MESSAGES[parsed.message] ?? parsed.message)];
}

const PYTHON_BLOCK = /^\s*(if|elif|else|for|while|def|class|try|except|finally|with)\b/;

async function lintPython(code: string): Promise<Finding[]> {
  const { pythonLanguage } = await import('@codemirror/lang-python');
  const lines = code.split('\n');
  let found: Finding | null = null;
  pythonLanguage.parser.parse(code).iterate({
    enter: ({ type, from, to }) => {
      if (found) return false;
      if (!type.isError) return true;
      const before = code.slice(0, from);
      let line = before.split('\n').length;
      let column = from - (before.lastIndexOf('\n') + 1) + 1;
      // What is missing at the end of a line is noticed at the beginning of the next.
      if (code.slice(before.lastIndexOf('\n') + 1, from).trim() === '' && line > 1) {
        const last = lines.slice(0, line - 1).findLastIndex((text) => text.trim() !== '');
        if (last >= 0 && needsColon(lines[last]!)) {
          line = last + 1;
          column = lines[last]!.length + 1;
        }
      }
      found = at(line, column, to - from, pythonMessage(lines[line - 1] ?? ''));
      return false;
    },
  });
  return found ? [found] : [];
}

function needsColon(line: string): boolean {
  return (
    PYTHON_BLOCK.test(line) &&
    !/:\s*(#.*)?$/.test(line) &&
    !/:/.test(line.replace(/\[[^\]]*\]|\{[^}]*\}/g, ''))
  );
}

function pythonMessage(line: string): string {
  const word = PYTHON_BLOCK.exec(line)?.[1];
  if (word && needsColon(line)) return `A line that begins with "${word}" ends with a colon.`;
  if (/^\s*(if|elif|while)\b[^=!<>]*[^=!<>]=[^=]/.test(line))
    return 'To compare two values, write == instead of =.';
  return 'Python cannot read this. Look for a missing bracket, quote or comma before it.';
}

const HTML_MESSAGES: Record<string, string> = {
  'abrupt-closing-of-empty-comment': 'This comment ends before it begins.',
  'duplicate-attribute': 'This element has the same attribute twice.',
  'end-tag-with-attributes': 'A closing tag has no attributes.',
  'end-tag-with-trailing-solidus': 'A closing tag begins with a slash; it does not end with one.',
  'eof-in-tag': 'This tag is never finished: its ">" is missing.',
  'eof-in-comment': 'This comment is never closed with "-->".',
  'eof-before-tag-name': 'After "<" the name of a tag is missing.',
  'invalid-first-character-of-tag-name':
    'A tag name begins with a letter. For the character itself, write &lt;',
  'missing-attribute-value': 'After "=" the value is missing.',
  'missing-end-tag-name': 'This closing tag has no name.',
  'missing-whitespace-between-attributes': 'There must be a space between two attributes.',
  'unexpected-character-in-attribute-name':
    'This character cannot be part of an attribute’s name. Is a quote missing?',
  'unexpected-character-in-unquoted-attribute-value': 'Put this value in quotes.',
  'unexpected-equals-sign-before-attribute-name': 'Before "=" the name of the attribute is missing.',
  'unexpected-question-mark-instead-of-tag-name': 'A tag does not begin with a question mark.',
  'unexpected-solidus-in-tag': 'This slash is in the wrong place.',
  'nested-comment': 'A comment cannot hold another comment.',
  'incorrectly-opened-comment': 'A comment begins with "<!--".',
};

const HTML_END_OPTIONAL =
  /^(html|head|body|p|li|dt|dd|option|optgroup|thead|tbody|tfoot|tr|td|th|colgroup|caption|rb|rt|rtc|rp)$/;

async function lintHtml(code: string): Promise<Finding[]> {
  const { defaultTreeAdapter: tree, parse, html } = await import('parse5');
  const found: Finding[] = [];
  const document = parse(code, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code: name, startLine, startCol, endLine, endCol }) => {
      const message = HTML_MESSAGES[name];
      if (!message) return;
      const finding = at(startLine, startCol, 1, message);
      found.push(
        endLine > startLine || endCol > startCol ? { ...finding, endLine, endColumn: endCol } : finding,
      );
    },
  });
  // The parser mends what is left open or closed too often and says nothing, as browsers do.
  const closings = new Set<number>();
  const opaque: [number, number][] = [];
  const visit = (node: import('parse5').DefaultTreeAdapterTypes.Node): void => {
    const place = node.sourceCodeLocation;
    if (place && (tree.isCommentNode(node) || (tree.isTextNode(node) && isRawText(node.parentNode)))) {
      opaque.push([place.startOffset, place.endOffset]);
    }
    if (tree.isElementNode(node)) {
      const { startTag, endTag } = node.sourceCodeLocation ?? {};
      if (endTag) closings.add(endTag.startOffset);
      else if (
        startTag &&
        node.namespaceURI === html.NS.HTML &&
        !isVoid(node.tagName) &&
        !HTML_END_OPTIONAL.test(node.tagName)
      ) {
        const message = `<${node.tagName}> is never closed: </${node.tagName}> is missing.`;
        found.push({
          ...at(startTag.startLine, startTag.startCol, 1, message),
          endLine: startTag.endLine,
          endColumn: startTag.endCol,
        });
      }
      if (node.tagName === 'template' && 'content' in node) visit(node.content);
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(document);
  for (const match of code.matchAll(/<\/([a-z][a-z0-9-]*)\s*>/gi)) {
    const [tag, name] = match as unknown as [string, string];
    if (closings.has(match.index) || /^(html|head|body|p|br)$/i.test(name)) continue;
    if (opaque.some(([from, to]) => match.index >= from && match.index < to)) continue;
    const before = code.slice(0, match.index);
    const message = `There is no open <${name.toLowerCase()}> that this tag could close.`;
    found.push(at(before.split('\n').length, match.index - before.lastIndexOf('\n'), tag.length, message));
  }
  return found.sort((a, b) => a.line - b.line || a.column - b.column);
}

function isRawText(parent: { nodeName: string } | null): boolean {
  return /^(script|style|textarea|title|xmp|iframe|noembed|noframes)$/.test(parent?.nodeName ?? '');
}

function isVoid(tagName: string): boolean {
  return /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(tagName);
}

async function lintCss(code: string): Promise<Finding[]> {
  const css = await import('css-tree');
  const found: Finding[] = [];
  const tree = css.parse(code, {
    positions: true,
    onParseError: (error) => {
      const { line, column } = error as { line?: number; column?: number };
      found.push(at(line ?? 1, column ?? 1, 1, `CSS cannot read this: ${lowerFirst(error.message)}.`));
    },
  });
  css.walk(tree, {
    visit: 'Declaration',
    enter(node) {
      const { property, value, loc } = node;
      if (!loc || property.startsWith('--') || property.startsWith('-') || value.type === 'Raw') return;
      const { error } = css.lexer.matchProperty(property, value);
      if (!error) return;
      if (error.name === 'SyntaxReferenceError') {
        found.push(
          at(loc.start.line, loc.start.column, property.length, `There is no property "${property}".`),
        );
      } else if (error.name === 'SyntaxMatchError') {
        const from = value.loc?.start ?? loc.start;
        const text = css.generate(value);
        const message = text ? `"${property}" cannot be "${text}".` : `"${property}" has no value.`;
        found.push(at(from.line, from.column, Math.max(1, text.length), message));
      }
    },
  });
  return found.sort((a, b) => a.line - b.line || a.column - b.column);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}
