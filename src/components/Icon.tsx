import type { IconName } from './icon-names.ts';
import sprite from './icons.svg?url';

export type { IconName };

/** For `<svg aria-hidden="true" class="icon"><use href={icon('star')} /></svg>`; one cached file has all icons. */
export const icon = (name: IconName): string => `${sprite}#${name}`;

/** Five stars in a row, 132 by 24. */
export const stars = (filled: number): string => `${sprite}#stars-${filled}`;
