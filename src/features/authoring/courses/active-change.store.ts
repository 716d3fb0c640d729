import { atom } from 'nanostores';

export const $activeChange = atom(0);
