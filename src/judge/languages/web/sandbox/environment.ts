/** The screen of media queries; jsdom reads it, constant, from a module with these names. */
export interface Screen {
  width: number;
  height: number;
  density: number;
  mediaType: 'screen' | 'print';
  features: Record<string, string>;
}

const DESKTOP: Screen = { width: 1024, height: 768, density: 1, mediaType: 'screen', features: {} };

export let innerWidth = DESKTOP.width;
export let innerHeight = DESKTOP.height;
export let devicePixelRatio = DESKTOP.density;
export let mediaType = DESKTOP.mediaType;
export let features = new Map<string, string>();
export const screen = {
  availWidth: 1024,
  availHeight: 768,
  width: 1024,
  height: 768,
  colorDepth: 24,
  pixelDepth: 24,
};

export function setScreen(change: Partial<Screen>): void {
  const next = { ...DESKTOP, ...change };
  innerWidth = next.width;
  innerHeight = next.height;
  devicePixelRatio = next.density;
  mediaType = next.mediaType;
  features = new Map(Object.entries(next.features));
  Object.assign(screen, {
    availWidth: next.width,
    availHeight: next.height,
    width: next.width,
    height: next.height,
  });
}

/** Null: what its style says. */
export let containerSize: { width: number; height: number } | null = null;

export function setContainerSize(size: { width: number; height: number } | null): void {
  containerSize = size;
}

export function onScreenOf<T>(size: { width: number; height: number }, answer: () => T): T {
  const [width, height] = [innerWidth, innerHeight];
  innerWidth = size.width;
  innerHeight = size.height;
  try {
    return answer();
  } finally {
    innerWidth = width;
    innerHeight = height;
  }
}

export let pointedAt: object | null = null;
export let isPressed = false;

export function pointAt(element: object | null, pressed = false): void {
  pointedAt = element;
  isPressed = pressed;
}
