import { atom } from 'nanostores';

/** How many more courses are active than when the page was made, by what was shown and hidden on it. */
export const $activeChange = atom(0);
