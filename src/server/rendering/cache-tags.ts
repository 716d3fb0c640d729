/** Of every answer that lists courses. */
export const CATALOGUE_TAG = 'catalogue';

export const courseTags = (courses: readonly { id: number }[]) => courses.map(({ id }) => `course:${id}`);
