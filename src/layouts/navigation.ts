export interface NavigationLink {
  href: string;
  label: string;
}

/** The header's links, in the order of spec 2. */
export const mainLinks: readonly NavigationLink[] = [
  { href: '/', label: 'Home' },
  { href: '/services', label: 'Services' },
  { href: '/clients', label: 'Clients' },
  { href: '/marketplace', label: 'Courses' },
  { href: '/about', label: 'About' },
  { href: '/contact', label: 'Contact' },
];

/** Pages the footer names that do not exist (decision 6): shown as text, not as links. */
export const unlinkedPages: readonly string[] = ['Instructors', 'Pricing', 'Blog'];

const courseSections = ['/courses', '/course', '/buy', '/learn', '/lesson', '/scenario'];

/** True when `href` is the header link for the page at `path` ("/about.html" counts as About, a course as Courses). */
export function isCurrent(href: string, path: string): boolean {
  const page = path.replace(/\.html$/, '').replace(/\/+$/, '') || '/';
  if (page === href) return true;
  if (href === '/marketplace') {
    return courseSections.some((section) => page === section || page.startsWith(`${section}/`));
  }
  return false;
}
