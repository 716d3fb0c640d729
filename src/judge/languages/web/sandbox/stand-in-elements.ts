/** jsdom's implementations of things that reach a network or open a second window, reduced to what a page can see. */
// @ts-expect-error jsdom does not type its inner files.
import { implementation as HTMLElementImpl } from 'jsdom/lib/jsdom/living/nodes/HTMLElement-impl.js';

/** A frame stays empty: its address is never loaded and it has no window of its own. */
class FrameElement extends HTMLElementImpl {
  get contentDocument(): null {
    return null;
  }
  get contentWindow(): null {
    return null;
  }
}

export { FrameElement as implementation };
