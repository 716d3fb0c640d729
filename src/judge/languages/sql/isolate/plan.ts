/** As JSON. */
interface PlanNode {
  'Node Type': string;
  Plans?: PlanNode[];
  [property: string]: unknown;
}

const STRATEGIES: Record<string, string> = {
  Hashed: 'HashAggregate',
  Sorted: 'GroupAggregate',
  Mixed: 'MixedAggregate',
};

/** On one line, names of the program cannot look like nodes. */
const oneLine = (text: unknown) => String(text).replace(/\s+/g, ' ');

function typeOf(node: PlanNode): string {
  const type = node['Node Type'];
  if (type === 'Aggregate') return STRATEGIES[String(node.Strategy)] ?? type;
  if (type === 'ModifyTable') return String(node.Operation);
  if (type === 'SetOp') return `${node.Strategy === 'Hashed' ? 'HashSetOp' : 'SetOp'} ${node.Command}`;
  const join = node['Join Type'];
  if (join && join !== 'Inner') return `${type.replace(/ Join$/, '')} ${join} Join`;
  return node['Scan Direction'] === 'Backward' ? `${type} Backward` : type;
}

function lineOf(node: PlanNode): string {
  const index = node['Index Name'];
  const of = node['Relation Name'] ?? node['Function Name'] ?? node['CTE Name'];
  const alias = node.Alias && node.Alias !== of ? ` ${oneLine(node.Alias)}` : '';
  const where = of === undefined ? '' : ` on ${oneLine(of)}${alias}`;
  // As PostgreSQL: "on" for a bitmap's index.
  const using = index === undefined ? '' : ` ${of === undefined ? 'on' : 'using'} ${oneLine(index)}`;
  return `${typeOf(node)}${using}${where}`;
}

const CONDITIONS = /(?:Cond|Filter|Key|Keys)$/;

function linesOf(node: PlanNode, depth: number): string[] {
  const space = ' '.repeat(depth === 0 ? 0 : depth * 6 - 4);
  const conditions = Object.entries(node)
    .filter(([name]) => CONDITIONS.test(name))
    .map(([name, value]) => `${name}: ${[value].flat().map(oneLine).join(', ')}`);
  return [
    `${space}${depth === 0 ? '' : '->  '}${lineOf(node)}`,
    ...conditions.map((line) => `${' '.repeat(depth * 6 + 2)}${line}`),
    ...(node.Plans ?? []).flatMap((child) => linesOf(child, depth + 1)),
  ];
}

/** Text made of a JSON plan: in PostgreSQL's own, a name with a line break looks like a node. */
export function planText(json: string): string {
  const [{ Plan: plan } = { Plan: undefined }] = JSON.parse(json) as { Plan?: PlanNode }[];
  return plan ? linesOf(plan, 0).join('\n') : '';
}
