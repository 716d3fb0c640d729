import { blankSourceFile } from 'ts-blank-space';
import ts from 'typescript';

interface Splice {
  from: number;
  to: number;
  text: string;
}

const PARSED = { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
const COMPILED: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  removeComments: true,
};

const compiled = (text: string) => ts.transpileModule(text, { compilerOptions: COMPILED }).outputText;

/** One value: a class, function, enum or namespace of the same name. */
function isMerged(node: ts.EnumDeclaration | ts.ModuleDeclaration): boolean {
  // What does not parse may stand anywhere.
  const { statements = [] } = node.parent as Partial<ts.BlockLike>;
  return statements.some(
    (other) =>
      other !== node &&
      (ts.isClassDeclaration(other) ||
        ts.isFunctionDeclaration(other) ||
        ts.isEnumDeclaration(other) ||
        ts.isModuleDeclaration(other)) &&
      other.name?.text === node.name.text,
  );
}

/** On its first line, so that the lines below keep their numbers. */
function onOneLine(node: ts.EnumDeclaration | ts.ModuleDeclaration, source: ts.SourceFile): Splice {
  const from = node.getStart(source);
  const whole = compiled(source.text.slice(from, node.end));
  // In a block it is of that block alone.
  const script = ts.isSourceFile(node.parent) ? whole : whole.replace(/^("use strict";)?\s*var /, '$1 let ');
  const breaks = source.text.slice(from, node.end).replace(/[^\n]/g, '');
  // A text over several lines keeps them.
  const text = script.includes('`') ? script : script.trim().replace(/\n\s*/g, ' ') + breaks;
  return { from, to: node.end, text };
}

function parameterProperty(modifier: ts.Node, source: ts.SourceFile): Splice[] {
  const parameter = modifier.parent as ts.ParameterDeclaration;
  const { body, parent } = parameter.parent as ts.ConstructorDeclaration;
  const from = modifier.getStart(source);
  const splices: Splice[] = [{ from, to: modifier.end, text: ' '.repeat(modifier.end - from) }];
  const isFirst = parameter.modifiers?.[0] === modifier;
  if (!isFirst || !body) return splices;
  const name = parameter.name.getText(source);
  const call = body.statements.find(
    (statement) =>
      ts.isExpressionStatement(statement) &&
      ts.isCallExpression(statement.expression) &&
      statement.expression.expression.kind === ts.SyntaxKind.SuperKeyword,
  );
  const head = parent.members.pos;
  const at = call?.end ?? body.statements.pos;
  return [
    ...splices,
    { from: head, to: head, text: ` ${name};` },
    { from: at, to: at, text: `${call ? ';' : ''} this.${name} = ${name};` },
  ];
}

/** Null where that takes the compiler. */
function replaced(node: ts.Node, source: ts.SourceFile): Splice[] | null {
  if (ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node)) {
    return isMerged(node) ? null : [onOneLine(node, source)];
  }
  if (ts.isTypeAssertionExpression(node)) {
    const from = node.getStart(source);
    const to = node.expression.getStart(source);
    return [{ from, to, text: source.text.slice(from, to).replace(/[^\n]/g, ' ') }];
  }
  return ts.isModifier(node) && node.parent && ts.isParameter(node.parent)
    ? parameterProperty(node, source)
    : null;
}

/** Blanks stand where types stood, so that lines and columns stay the learner's. */
export function stripTypes(code: string): string {
  const source = ts.createSourceFile('program.ts', code, PARSED, true, ts.ScriptKind.TS);
  const splices: Splice[] = [];
  let isBeyond = false;
  const blank = blankSourceFile(source, (node) => {
    const pieces = replaced(node, source);
    if (pieces) splices.push(...pieces);
    else isBeyond = true;
  });
  // Rare: brackets would be missing, or a namespace adds to a class.
  if (isBeyond) return compiled(code);
  let text = '';
  let at = 0;
  for (const splice of splices.toSorted((a, b) => a.from - b.from)) {
    text += blank.slice(at, splice.from) + splice.text;
    at = splice.to;
  }
  return text + blank.slice(at);
}
