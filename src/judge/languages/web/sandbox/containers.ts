import * as environment from './environment.ts';

/** As wide as its style says in pixels or percent, else as its parent, the screen at last. */

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

/** On a screen of the container's size. */
export function matchesContainer(element: Box, computed: Computed, matches: () => boolean): boolean {
  const size = environment.containerSize ?? {
    width: sizeOf(element, 'width', computed),
    height: sizeOf(element, 'height', computed),
  };
  return environment.onScreenOf(size, matches);
}

export function asMedia(query: string): string {
  return query.replace(/\binline-size\b/g, 'width').replace(/\bblock-size\b/g, 'height');
}
