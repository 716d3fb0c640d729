type Shape = { kind: string; radius?: number; width?: number; height?: number };

function area(shape: Shape): number {
  return Math.PI * (shape.radius ?? 0) ** 2;
}

console.log(area({ kind: 'circle', radius: 2 }));
