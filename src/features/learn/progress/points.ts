export interface PointsLevel {
  level: number;
  points: number;
  next: number;
  /** Percent of the way to the next level. */
  percent: number;
}

/** Each level takes 50 more than the one before: 0, 50, 150, 300, 500. */
const begins = (level: number) => 25 * level * (level - 1);

export function pointsLevel(points: number): PointsLevel {
  let level = 1;
  while (begins(level + 1) <= points) level += 1;
  const [from, next] = [begins(level), begins(level + 1)];
  return { level, points, next, percent: Math.floor((100 * (points - from)) / (next - from)) };
}
