import { atom } from 'nanostores';

/** Courses shown minus courses hidden on this page. */
export const $activeChange = atom(0);
