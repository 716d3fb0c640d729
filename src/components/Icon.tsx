import type { IconName } from './icon-names.ts';
import sprite from './icons.svg?url';

export type { IconName };

/**
 * Address of an icon for `<svg aria-hidden="true" class="icon"><use href={icon('star')} /></svg>`. All of them are one
 * file that the browser keeps, so that an icon costs a page next to nothing.
 */
export const icon = (name: IconName): string => `${sprite}#${name}`;

/** The same for five stars in a row, 132 by 24, of which some are filled. */
export const stars = (filled: number): string => `${sprite}#stars-${filled}`;
