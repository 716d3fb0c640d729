import type { LessonTable } from './schema.ts';

/** Units of the picture, pixels at 100 %. */
const WIDTH = 210;
const HEAD = 30;
const LINE = 22;
const GAP = { across: 56, down: 20 };
const EDGE = 8;

export interface Box {
  table: LessonTable;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Line {
  from: string;
  to: string;
  path: string;
}

export interface Picture {
  width: number;
  height: number;
  boxes: Box[];
  lines: Line[];
}

export const lineAt = (box: Box, column: number): number => box.y + HEAD + column * LINE + LINE / 2;

/** Referenced tables to the left, so that lines run one way. */
export function pictureOf(tables: readonly LessonTable[]): Picture {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const depths = new Map<string, number>();
  const depthOf = (table: LessonTable, above: readonly string[]): number => {
    const known = depths.get(table.name);
    if (known !== undefined) return known;
    const targets = table.columns.flatMap(({ references }) => {
      const target = references && byName.get(references.table);
      return target && target !== table && !above.includes(target.name) ? [target] : [];
    });
    const depth = Math.max(-1, ...targets.map((target) => depthOf(target, [...above, table.name]))) + 1;
    depths.set(table.name, depth);
    return depth;
  };
  const bottoms: number[] = [];
  const boxes = tables.map((table): Box => {
    const depth = depthOf(table, []);
    const y = bottoms[depth] ?? EDGE;
    const height = HEAD + table.columns.length * LINE + 6;
    bottoms[depth] = y + height + GAP.down;
    return { table, x: EDGE + depth * (WIDTH + GAP.across), y, width: WIDTH, height };
  });
  const lines = boxes.flatMap((box) =>
    box.table.columns.flatMap(({ name, references }, at): Line[] => {
      const target = boxes.find((other) => other.table.name === references?.table);
      const column = target?.table.columns.findIndex((one) => one.name === references?.column) ?? -1;
      if (!target || column < 0) return [];
      const [x1, y1] = [box.x, lineAt(box, at)];
      const y2 = lineAt(target, column);
      // To a table in the same column of the picture the line runs around its left side.
      const isBeside = target.x < box.x;
      const x2 = isBeside ? target.x + target.width : target.x;
      const turn = isBeside ? x1 - GAP.across / 2 : Math.max(2, Math.min(x1, x2) - EDGE + 2);
      return [
        {
          from: `${box.table.name}.${name}`,
          to: `${target.table.name}.${references!.column}`,
          path: `M${x1} ${y1}H${turn}V${y2}H${x2}`,
        },
      ];
    }),
  );
  return {
    width: Math.max(0, ...boxes.map(({ x, width }) => x + width)) + EDGE,
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height)) + EDGE,
    boxes,
    lines,
  };
}
