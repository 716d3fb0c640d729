/** Tag of every answer that lists courses: which ones, in which order and how many there are. */
export const CATALOGUE_TAG = 'catalogue';

/** Tags of the courses that an answer shows, as `tell_courses` in the database names them. */
export const courseTags = (courses: readonly { id: number }[]) => courses.map(({ id }) => `course:${id}`);
