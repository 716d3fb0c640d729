import { type Node, type Options, Parser } from 'acorn';
import jsx from 'acorn-jsx';

const JsxParser = Parser.extend(jsx());

type ParsedScript = { program: Node } | { line: number; column: number; message: string };

export type Comments = { start: number; end: number }[];

/** As a module, and where that fails as a plain script. */
export function parseScript(code: string, withJsx: boolean, comments: Comments = []): ParsedScript {
  const parser = withJsx ? JsxParser : Parser;
  const onComment = (_isBlock: boolean, _text: string, start: number, end: number) => {
    comments.push({ start, end });
  };
  const options: Options = { ecmaVersion: 'latest', locations: true, allowHashBang: true, onComment };
  try {
    return { program: parser.parse(code, { ...options, sourceType: 'module' }) };
  } catch (error) {
    comments.length = 0;
    try {
      return {
        program: parser.parse(code, { ...options, sourceType: 'script', allowAwaitOutsideFunction: true }),
      };
    } catch {
      const { loc, message } = error as { loc?: { line: number; column: number }; message: string };
      return {
        line: loc?.line ?? 1,
        column: (loc?.column ?? 0) + 1,
        message: `${message.replace(/\s*\(\d+:\d+\)$/, '')}.`,
      };
    }
  }
}

export function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* nodesOf(child);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
