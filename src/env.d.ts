/** See vite-plugins/inline-script.ts. */
declare module '*?inline-script' {
  export const code: string;
  export const hash: `sha256-${string}`;
}

declare namespace App {
  interface Locals {
    /** The site's public address, for links that others follow. */
    siteUrl: string;
    /** Names this request in logs and error bodies. */
    requestId: string;
    /** Pattern of the page or call that answers, for the figures; never the address itself. */
    route?: string;
    /** What the answer shows, as `cache-tags.ts` names it: visitors may share it until that changes. */
    tags?: string[];
    /** What limits count the caller by: the address, as far as trusted proxies vouch for it, or its IPv6 /64. */
    clientIp: string;
    /** Who makes the request, read from the database; null for visitors. */
    user: import('#src/features/account/session.server.ts').CurrentUser | null;
    /** The course that an administrator sees as a learner by this request; `user` is that learner then. */
    preview: import('#src/features/learn/preview/preview.server.ts').Preview | null;
    /** Which of the two secrets of a sign-in proved `user`. */
    authenticatedBy: 'bearer' | 'cookie' | null;
    /** The sign-in that both secrets belong to; logout ends it. */
    signInId: string | null;
    /** Why an administrator has a student's rights for now, as a sentence for them; null otherwise. */
    withheld: string | null;
    /** What waits for the administrator whose page this is. */
    waiting?: () => Promise<import('#src/features/admin/shell/admin.ts').WaitingCounts>;
    /** True where an Authorization header was sent that proved nobody. */
    rejectedBearer: boolean;
  }
}

declare namespace astroHTML.JSX {
  interface HTMLAttributes {
    /** What only its script answers is disabled until the script removes this (head-script.ts). */
    ssr?: boolean;
  }
}
