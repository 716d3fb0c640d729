/** Graders grade and answer questions; authors edit too (decision 128). */
export type StaffRole = 'author' | 'grader';

/** By course id; a course's draft counts as the course. */
export type StaffRoles = Readonly<Record<number, StaffRole>>;

/** Without `staff` only administrators have more rights. */
export interface Person {
  role: 'student' | 'admin';
  staff?: StaffRoles;
}

/** Administrators count as staff everywhere. */
export function isStaffOf(person: Person | null, courseId: number, as: StaffRole = 'grader'): boolean {
  if (person?.role === 'admin') return true;
  const own = person?.staff?.[courseId];
  return own === 'author' || (own !== undefined && own === as);
}

/** @returns null for administrators: all */
export function coursesOfStaff(person: Person, as: StaffRole = 'grader'): number[] | null {
  if (person.role === 'admin') return null;
  return Object.keys(person.staff ?? {})
    .map(Number)
    .filter((id) => isStaffOf(person, id, as));
}
