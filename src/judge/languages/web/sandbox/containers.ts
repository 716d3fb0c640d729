import * as environment from './environment.ts';

/**
 * Container queries, which jsdom parses and does not answer: it has no layout. A container is as wide as its style says
 * in pixels or percent, and otherwise as what is around it, the screen at last. A test that names a size
 * (`@container (min-width: 400px) .card | color`) has every container be of it.
 */

/** jsdom's own objects, as far as they are looked at. */
interface Box {
  parentNode: Box | null;
  nodeType: number;
}
interface Value {
  value: number;
  unit?: string;
  types?: readonly string[];
}
type Computed = (property: string, element: Box) => Value;

const ELEMENT = 1;

function sizeOf(element: Box, property: 'width' | 'height', computed: Computed): number {
  const whole = property === 'width' ? environment.innerWidth : environment.innerHeight;
  const { value, unit } = computed(property, element);
  if (unit === 'px') return value;
  const around = element.parentNode;
  const available = around?.nodeType === ELEMENT ? sizeOf(around, property, computed) : whole;
  return unit === '%' ? (available * value) / 100 : available;
}

/** Answers a query as a media query is answered, on a screen of the container's size. */
export function matchesContainer(element: Box, computed: Computed, matches: () => boolean): boolean {
  const size = environment.containerSize ?? {
    width: sizeOf(element, 'width', computed),
    height: sizeOf(element, 'height', computed),
  };
  return environment.onScreenOf(size, matches);
}

/** A container query as a media query of the same size. */
export function asMedia(query: string): string {
  return query.replace(/\binline-size\b/g, 'width').replace(/\bblock-size\b/g, 'height');
}
