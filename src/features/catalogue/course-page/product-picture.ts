import { coding, type LessonType, scenario } from '#src/features/lessons/registry.ts';

/** Screenshots by `scripts/product-pictures.ts`. */
export type ProductPictureKind = 'editor' | 'scenario';

/** CSS pixels, and the widths of files. */
export const PRODUCT_PICTURE = { width: 1080, height: 660, widths: [720, 1440] } as const;

export function productPicturePath({
  kind,
  scheme,
  width,
  type,
}: {
  kind: ProductPictureKind;
  scheme: 'light' | 'dark';
  width: (typeof PRODUCT_PICTURE.widths)[number];
  type: 'avif' | 'webp';
}): string {
  return `/product/${kind}-${scheme}-${width}.${type}`;
}

export function productPictureOf(lessons: readonly { type: LessonType }[]): ProductPictureKind | null {
  const count = (type: LessonType) => lessons.filter((lesson) => lesson.type === type).length;
  const [programs, simulations] = [count(coding.name), count(scenario.name)];
  if (programs + simulations === 0) return null;
  return simulations > programs ? 'scenario' : 'editor';
}
