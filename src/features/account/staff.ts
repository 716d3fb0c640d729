/**
 * What somebody may do in a course whose staff they are: a grader grades and answers questions, an author does all
 * that concerns its lessons as well (decision 128).
 */
export type StaffRole = 'author' | 'grader';

/** A person's part in courses, by the courses' ids; the copy in which a course is worked on counts as the course. */
export type StaffRoles = Readonly<Record<number, StaffRole>>;

/** Somebody signed in; `staff` is left out where administrators alone may more than learners. */
export interface Person {
  role: 'student' | 'admin';
  staff?: StaffRoles;
}

/** Whether somebody may act in a course as its staff: its staff of this part, and administrators in every course. */
export function isStaffOf(person: Person | null, courseId: number, as: StaffRole = 'grader'): boolean {
  if (person?.role === 'admin') return true;
  const own = person?.staff?.[courseId];
  return own === 'author' || (own !== undefined && own === as);
}

/**
 * The courses in which somebody may act as staff.
 *
 * @returns null for administrators, who may in all
 */
export function coursesOfStaff(person: Person, as: StaffRole = 'grader'): number[] | null {
  if (person.role === 'admin') return null;
  return Object.keys(person.staff ?? {})
    .map(Number)
    .filter((id) => isStaffOf(person, id, as));
}
