import { statSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PRODUCT_PICTURE, productPictureOf, productPicturePath } from './product-picture.ts';

const lessons = (text: Record<string, number>) =>
  Object.entries(text).flatMap(([type, count]) =>
    Array.from({ length: count }, () => ({ type: type as 'text' })),
  );

describe('the picture of the product on a course’s page', () => {
  it('is of what learners do most often there, and there is none of a course to read', () => {
    expect(productPictureOf([])).toBe(null);
    expect(productPictureOf(lessons({ text: 9, video: 2, quiz: 1 }))).toBe(null);
    expect(productPictureOf(lessons({ text: 9, interactive_coding: 1 }))).toBe('editor');
    expect(productPictureOf(lessons({ text: 2, scenario: 2, interactive_coding: 1 }))).toBe('scenario');
    expect(productPictureOf(lessons({ scenario: 1, interactive_coding: 1 }))).toBe('editor');
  });

  const files = (['editor', 'scenario'] as const).flatMap((kind) =>
    (['light', 'dark'] as const).flatMap((scheme) =>
      PRODUCT_PICTURE.widths.flatMap((width) =>
        (['avif', 'webp'] as const).map((type) => ({ kind, scheme, width, type })),
      ),
    ),
  );
  it.each(files)('is there as $kind, $scheme, $width wide, $type, in the promised shape', async (file) => {
    const path = new URL(`../../../../public${productPicturePath(file)}`, import.meta.url).pathname;
    const { width, height, format } = await sharp(path).metadata();
    expect([width, format === 'heif' ? 'avif' : format]).toEqual([file.width, file.type]);
    expect(height).toBe((file.width * PRODUCT_PICTURE.height) / PRODUCT_PICTURE.width);
    expect(statSync(path).size).toBeLessThan(file.width === 720 ? 45_000 : 110_000);
  });
});
