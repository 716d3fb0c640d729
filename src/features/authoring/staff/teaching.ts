/** Where the courses are from which somebody came to a page about one: all of them, or those they teach. */
export const coursesCrumb = (user: { role: 'student' | 'admin' } | null) =>
  user?.role === 'admin'
    ? { label: 'Courses', href: '/admin/courses' }
    : { label: 'Teaching', href: '/teaching' };
