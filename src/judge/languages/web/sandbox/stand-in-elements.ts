/** jsdom's implementations of what reaches a network or opens a window, reduced to what a page can see. */
// @ts-expect-error jsdom does not type its inner files.
import { implementation as HTMLElementImpl } from 'jsdom/lib/jsdom/living/nodes/HTMLElement-impl.js';

/** Its address is never loaded. */
class FrameElement extends HTMLElementImpl {
  get contentDocument(): null {
    return null;
  }
  get contentWindow(): null {
    return null;
  }
}

export { FrameElement as implementation };
