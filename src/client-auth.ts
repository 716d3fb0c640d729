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
  const start = async () => {
    window.removeEventListener('auth:change', check);
    window.removeEventListener('storage', check);
    const hydrate = await load();
    await hydrate();
  };
  const check = () => {
    if (signedIn()) void start();
  };
  if (signedIn()) {
    void start();
  } else {
    window.addEventListener('auth:change', check);
    window.addEventListener('storage', check);
  }
};

export default clientAuth;
