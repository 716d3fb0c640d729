/** The same name as in the adapter's changed source (vite-walls.ts). */
const WHOLE_BODY = Symbol.for('site.whole-body');

/**
 * An answer whose body is there as a whole. The HTTP server takes it as it is, where it would otherwise read it back out
 * of the web stream that every `Response` makes of its body.
 */
export function wholeResponse(body: string | Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  return Object.assign(new Response(body, init), { [WHOLE_BODY]: body });
}

/** The whole body of an answer that was made with one, as long as nobody has read it otherwise. */
export function wholeBodyOf(response: Response): string | Uint8Array<ArrayBuffer> | undefined {
  return (response as { [WHOLE_BODY]?: string | Uint8Array<ArrayBuffer> })[WHOLE_BODY];
}
