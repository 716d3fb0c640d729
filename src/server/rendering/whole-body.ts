/** The same name as in the adapter's changed source (vite-walls.ts). */
const WHOLE_BODY = Symbol.for('site.whole-body');

type Whole = string | Uint8Array<ArrayBuffer>;

/** Makes the web stream that every `Response` makes of its body only for those who ask for it. */
class WholeResponse extends Response {
  readonly [WHOLE_BODY]: Whole;
  #ordinary: Response | undefined;

  constructor(body: Whole, init: ResponseInit) {
    super(null, init);
    this[WHOLE_BODY] = body;
  }

  get #streamed(): Response {
    this.#ordinary ??= new Response(this[WHOLE_BODY], this);
    return this.#ordinary;
  }

  override get body() {
    return this.#streamed.body;
  }
  override get bodyUsed() {
    return this.#ordinary?.bodyUsed ?? false;
  }
  override text() {
    return this.#streamed.text();
  }
  override json() {
    return this.#streamed.json();
  }
  override arrayBuffer() {
    return this.#streamed.arrayBuffer();
  }
  override bytes() {
    return this.#streamed.bytes();
  }
  override blob() {
    return this.#streamed.blob();
  }
  override formData() {
    return this.#streamed.formData();
  }
  override clone() {
    return this.#streamed.clone();
  }
}

/** An answer whose body is there as a whole: the HTTP server takes it as it is. */
export function wholeResponse(body: Whole, init: ResponseInit): Response {
  return new WholeResponse(body, init);
}

/** The whole body of an answer that was made with one, as long as nobody has read it otherwise. */
export function wholeBodyOf(response: Response): Whole | undefined {
  return (response as { [WHOLE_BODY]?: Whole })[WHOLE_BODY];
}
