/** What the points of all courses together come to. */
export interface PointsLevel {
  /** From 1. */
  level: number;
  points: number;
  next: number;
  /** How much of the way from this level to the next is done, in whole percent. */
  percent: number;
}

/** Points with which a level begins: each takes 50 more than the one before it (0, 50, 150, 300, 500…). */
const begins = (level: number) => 25 * level * (level - 1);

/** The level of a learner with so many points. */
export function pointsLevel(points: number): PointsLevel {
  let level = 1;
  while (begins(level + 1) <= points) level += 1;
  const [from, next] = [begins(level), begins(level + 1)];
  return { level, points, next, percent: Math.floor((100 * (points - from)) / (next - from)) };
}
