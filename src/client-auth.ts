import type { ClientDirective } from 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Loads the island only for signed-in visitors: at once, or when they sign in in this tab or another. */
    'client:auth'?: boolean;
  }
}

/** `client:auth`: signed-out visitors never download the island nor its framework. */
const clientAuth: ClientDirective = (load) => {
  // The head script has already compared local storage and what the server knows (Base.astro).
  const signedIn = () => document.documentElement.dataset.auth === 'in';
  const start = async () => (await load())();
  if (signedIn()) {
    void start();
    return;
  }
  new MutationObserver((_, observer) => {
    if (!signedIn()) return;
    observer.disconnect();
    void start();
  }).observe(document.documentElement, { attributeFilter: ['data-auth'] });
};

export default clientAuth;
