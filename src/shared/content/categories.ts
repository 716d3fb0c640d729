/** The footer's; fixed ids (decision 28). */
export const FIXED_CATEGORIES = [
  { id: 1, name: 'Programming' },
  { id: 2, name: 'Business' },
  { id: 3, name: 'Design' },
  { id: 4, name: 'Marketing' },
  { id: 5, name: 'Photography' },
] as const;
