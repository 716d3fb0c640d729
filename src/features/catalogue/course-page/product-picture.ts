import { coding, type LessonType, scenario } from '#src/features/lessons/registry.ts';

/** What the pictures of the product at work show: each is a screenshot of such a lesson (`scripts/product-pictures.ts`). */
export type ProductPictureKind = 'editor' | 'scenario';

/** Pixels of a picture as it is laid out, and the widths that there are files of. */
export const PRODUCT_PICTURE = { width: 1080, height: 660, widths: [720, 1440] } as const;

/** Where a file of a picture is served. */
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

/** The picture that says most of a course: what its learners do most often, of the two that there are pictures of. */
export function productPictureOf(lessons: readonly { type: LessonType }[]): ProductPictureKind | null {
  const count = (type: LessonType) => lessons.filter((lesson) => lesson.type === type).length;
  const [programs, simulations] = [count(coding.name), count(scenario.name)];
  if (programs + simulations === 0) return null;
  return simulations > programs ? 'scenario' : 'editor';
}
