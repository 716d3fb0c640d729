import { fileURLToPath } from 'node:url';

let built: Promise<string> | undefined;

async function build(): Promise<string> {
  // Loaded when first needed: a site with real keys never pays for the bundler.
  const { build: bundle } = await import('esbuild');
  const result = await bundle({
    entryPoints: [fileURLToPath(new URL('./page-script.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
    // The project's compiler options are for code that Node runs; nothing of them is wanted here.
    tsconfigRaw: {},
  });
  const file = result.outputFiles[0];
  if (!file) throw new Error('The payment sandbox page script was not built.');
  return file.text;
}

/** The page script as one browser file that defines `window.Stripe`. */
export function pageScript(): Promise<string> {
  built ??= build().catch((error: unknown) => {
    built = undefined;
    throw error;
  });
  return built;
}
