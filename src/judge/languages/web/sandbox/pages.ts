import type { Query } from '../query.ts';
import { showPage } from './engine.ts';
import { asMedia } from './containers.ts';
import { harden } from './hardening.ts';
import { innerHeight, innerWidth, pointAt, setContainerSize, setScreen } from './environment.ts';
import { packed, parseJson } from './intrinsics.ts';
import { type Finding, look } from './look.ts';
import { screensFor, setFirstScreen } from './screens.ts';
import { enterState, hasState } from './states.ts';

/** No code of a learner runs in these sandboxes. */

let markup = '';
let styles: string | null = null;
let shownFor: string | null | undefined;

export function openPage(html: string, css: string | null): void {
  harden();
  beginPage(html, css);
}

/** For the snapshot, which must have every global that the engine expects. */
export function beginPage(html: string, css: string | null): void {
  markup = html;
  styles = css;
  shownFor = undefined;
  show(null);
}

function show(shown: string | null): void {
  if (shownFor === shown) return;
  showPage(markup);
  if (styles !== null) {
    const element = document.createElement('style');
    element.textContent = styles;
    (document.head ?? document.documentElement).append(element);
  }
  shownFor = shown;
}

/** A text says why there is none. */
function setScreenFor(media: string | null): string | null {
  setScreen({});
  if (media === null) return null;
  const isSet = setFirstScreen(media, screensFor(media));
  if (isSet === null) return `"${media}" is not a media query.`;
  return isSet ? null : `No screen was found for which "${media}" holds.`;
}

/** A text says why there is none. */
function setContainerFor(query: string | undefined): string | null {
  setContainerSize(null);
  if (query === undefined) return null;
  const media = asMedia(query);
  const isSet = setFirstScreen(media, screensFor(media));
  if (!isSet) return `"${query}" is not the size of a container.`;
  setContainerSize({ width: innerWidth, height: innerHeight });
  return null;
}

export function lookAtPage(queryJson: string): string {
  const query = parseJson(queryJson) as Query;
  const problem = setContainerFor(query.container) ?? setScreenFor(query.media);
  if (problem) return packed(['bad-selector', problem]);
  pointAt(null);
  const isStill = !hasState(query.selector ?? '');
  if (!isStill) shownFor = undefined;
  show(`${query.media}|${query.container}`);
  try {
    if (!isStill) enterState(query.selector!);
    return packedFinding(look(document, query.selector, query.read));
  } catch (error) {
    return packed(['bad-selector', (error as Error).message]);
  } finally {
    // Whoever looks next finds the page as it was.
    if (!isStill) shownFor = undefined;
  }
}

export function pageText(): string {
  return packedFinding(look(document, 'body', { what: 'text' }));
}

export function packedFinding(finding: Finding): string {
  switch (finding.found) {
    case 'value':
      return packed(['value', finding.value]);
    case 'nothing':
      return packed(['nothing', finding.why]);
    case 'bad-selector':
      return packed(['bad-selector', finding.message]);
  }
}
