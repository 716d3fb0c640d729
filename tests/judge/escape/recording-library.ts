import { createRequire } from 'node:module';
import type Library from 'isolated-vm';

const library: typeof Library = createRequire(import.meta.url)('isolated-vm');

/** The global `eval` of a realm, which outlives the use that its runner made of it. */
type Evaluate = Library.Reference<(code: string) => unknown>;

/** Of every context that is made by way of the library below. */
export const realms: Evaluate[] = [];

function remember(context: Library.Context): void {
  realms.push(context.global.getSync('eval', { reference: true }) as Evaluate);
}

function recording(isolate: Library.Isolate): Library.Isolate {
  return new Proxy(isolate, {
    get(target, name: keyof Library.Isolate) {
      // What the program has left is looked at after its end.
      if (name === 'dispose') return () => {};
      const value: unknown = target[name];
      if (typeof value !== 'function') return value;
      return (...values: unknown[]) => {
        const given: unknown = value.apply(target, values);
        if (name === 'createContextSync') remember(given as Library.Context);
        if (name !== 'createContext') return given;
        return (given as Promise<Library.Context>).then((context) => {
          remember(context);
          return context;
        });
      };
    },
  });
}

/** The library whose isolates are the real ones, and whose contexts are known here. */
const Isolate = new Proxy(library.Isolate, {
  construct: (target, [options]: [Library.IsolateOptions]) => recording(new target(options)),
});

export default new Proxy({} as typeof Library, {
  get: (_, name: keyof typeof Library) => (name === 'Isolate' ? Isolate : library[name]),
});
