export interface NavigationLink {
  href: string;
  label: string;
}

/** Spec 2. */
export const mainLinks: readonly NavigationLink[] = [
  { href: '/', label: 'Home' },
  { href: '/services', label: 'Services' },
  { href: '/clients', label: 'Clients' },
  { href: '/marketplace', label: 'Courses' },
  { href: '/about', label: 'About' },
  { href: '/contact', label: 'Contact' },
];

/** Spec 2, decision 6. */
export const quickLinks: readonly NavigationLink[] = [
  { label: 'About Us', href: '/about' },
  { label: 'Courses', href: '/courses' },
  { label: 'Instructors', href: '/instructors' },
  { label: 'Pricing', href: '/teams' },
  { label: 'Blog', href: '/insights' },
];

const courseSections = ['/courses', '/course', '/buy', '/learn', '/lesson', '/scenario'];

/** "/about.html" is About, a course is Courses. */
export function isCurrent(href: string, path: string): boolean {
  const page = path.replace(/\.html$/, '').replace(/\/+$/, '') || '/';
  if (page === href) return true;
  if (href === '/marketplace') {
    return courseSections.some((section) => page === section || page.startsWith(`${section}/`));
  }
  return false;
}
