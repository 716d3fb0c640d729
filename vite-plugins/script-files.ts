import type { Rolldown } from 'vite';

/** What no page loads before it is asked for stays in files of its own. */
const tags: ['$initial'] = ['$initial'];

const packages = (names: string) => new RegExp(`/node_modules/(${names})/`);
const SCHEMAS = /\?schemas$/;
const rooms = (names: string) => new RegExp(`/src/features/(${names})/(?!.*\\?schemas$)`);

const MENUS =
  /radix-ui\/react-(select|popper|menu|dropdown-menu|tooltip|arrow)|floating-ui|components\/(Menu|Select|Tooltip)\.tsx/;
const CHOICES =
  /radix-ui\/react-(collection|roving-focus|radio-group|toolbar|tabs|toggle)|components\/(RadioGroup|RowTools|Tabs)\.tsx/;
const WIDGETS =
  /node_modules\/(@?radix-ui|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden|get-nonce|tslib|lucide-react)|src\/components\//;

/**
 * Which modules share a file in the browser: a request costs more than a few bytes that a page does not need. A group
 * takes along what its modules import, unless an earlier group has that: the order is that of the imports.
 */
export const scriptFiles: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: 'loader', test: /preload-helper/ },
    { name: 'framework', test: packages('react|react-dom|scheduler|@astrojs/react') },
    // What the header needs: neither React nor schemas.
    {
      name: 'base',
      test: /node_modules\/nanostores|\/(toast|auth|cart|waiting)\.store\.ts|src\/shared\/(?!contract|api|fields|list-query|names|upload|pick|resend)|src\/components\/(element|button|class-names|surface|spinner|empty-state|progress)\.ts/,
      minShareCount: 2,
    },
    { name: 'calls', test: /src\/shared\/(?!.*\?schemas$)|sign-in-action/ },
    { name: 'schemas', test: /node_modules\/zod\/|src\/shared\// },
    {
      name: 'widgets',
      tags,
      test: (id) => WIDGETS.test(id) && !MENUS.test(id) && !CHOICES.test(id) && !SCHEMAS.test(id),
      minShareCount: 2,
    },
    { name: 'choices', tags, test: CHOICES, minShareCount: 2 },
    { name: 'menus', tags, test: MENUS, minShareCount: 3 },
    { name: 'account', tags, test: /features\/account\/(?!second-factor|.*\?schemas$)/, minShareCount: 2 },
    {
      name: 'contracts',
      tags,
      test: /features\/(learn|lessons\/types|catalogue)\/.*(schema|definition|kinds?|settings|languages|embed|learn|question|Thumbnail)\.tsx?(\?rest)?$/,
      minShareCount: 2,
    },
    { name: 'cart', tags, test: /features\/store\/.*\.ts(\?rest)?$/, minShareCount: 3 },
    // The demo page runs programs without more.
    { name: 'verdicts', test: /features\/practice\/practice\.ts/ },
    { name: 'scenario', tags, test: rooms('scenario'), minShareCount: 2 },
    {
      name: 'learning',
      tags,
      test: /features\/(?!.*\?schemas$)(learn\/(?!preview)|review\/|lessons\/(?!.*(Editor|Fields|formats|expected|limits|opening)))/,
      minShareCount: 2,
    },
    { name: 'practice', tags, test: /features\/practice\/(?!steps|.*\?schemas$)/, minShareCount: 2 },
    { name: 'store', tags, test: rooms('store|catalogue'), minShareCount: 2 },
    {
      name: (id) => `${/features\/(\w+)/.exec(id)?.[1]}-schemas`,
      tags,
      test: /features\/.*\?schemas$/,
      minShareCount: 2,
    },
    { name: 'authoring', tags, test: rooms('authoring'), minShareCount: 4 },
    { name: 'admin', tags, test: rooms('admin|authoring/courses'), minShareCount: 2 },
    {
      name: 'editing',
      tags,
      test: rooms('authoring|lessons'),
      minShareCount: 2,
      entriesAware: true,
      minSize: 9000,
    },
    { name: 'code-mirror', test: packages('@codemirror/(view|state|language|commands|lint)') },
  ],
};
