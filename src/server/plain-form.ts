import type { APIContext, APIRoute, AstroGlobal } from 'astro';
import { AppError, type ErrorBody, type RefusedForm } from '#src/shared/errors.ts';
import { bodyBytes, errorResponse, JSON_BODY_MAX_BYTES } from './endpoint.ts';

export interface FormCall {
  endpoint: APIRoute;
  params?: Record<string, string>;
  input?: unknown;
}

export interface FormRefusal extends RefusedForm {
  status: number;
  code: string;
  body: ErrorBody;
}

interface FormOutcome {
  typed: Record<string, string>;
  answer: unknown;
  refusal: FormRefusal | null;
}

type FormContext = Pick<APIContext, 'request' | 'locals' | 'cookies' | 'url'> &
  Partial<Pick<AstroGlobal, 'response'>>;

/**
 * Answers a plain form through the endpoint that a script calls; never throws, and sets the refusal's status.
 */
export async function submitForm(
  context: FormContext,
  keep: readonly string[],
  toCall: (typed: Partial<Record<string, string>>) => FormCall,
): Promise<FormOutcome> {
  const { request, response, locals, cookies, url } = context;
  let typed: Record<string, string> = {};
  let answer: Response;
  try {
    const form = await readForm(request, locals.requestId);
    typed = Object.fromEntries(keep.map((name) => [name, form[name] ?? '']));
    const { endpoint, params = {}, input } = toCall(form);
    const headers = new Headers(request.headers);
    headers.set('content-type', 'application/json');
    headers.delete('content-length');
    const call = new Request(url, { method: 'POST', headers, body: JSON.stringify(input ?? null) });
    answer = await endpoint({ request: call, params, locals, cookies, url } as unknown as APIContext);
  } catch (error) {
    answer = errorResponse(error, locals.requestId);
  }
  if (answer.ok) return { typed, answer: answer.status === 204 ? null : await answer.json(), refusal: null };
  const body = (await answer.json()) as ErrorBody;
  if (response) {
    response.status = answer.status;
    response.headers.set('cache-control', 'no-store');
    const wait = answer.headers.get('retry-after');
    if (wait) response.headers.set('retry-after', wait);
  }
  const { message, code, fields = {} } = body;
  return { typed, answer: null, refusal: { status: answer.status, code, message, fields, typed, body } };
}

export const refusedForm = (refusal: FormRefusal | null | undefined): RefusedForm | null =>
  refusal ? { message: refusal.message, fields: refusal.fields, typed: refusal.typed } : null;

async function readForm(request: Request, requestId: string): Promise<Partial<Record<string, string>>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Please send the form as this page has it.');
  }
  const bytes = await bodyBytes(request, requestId);
  if (bytes.byteLength > JSON_BODY_MAX_BYTES) throw new AppError('too_large', 'The form is too large.');
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(bytes))) {
    // CRLF of forms would count twice.
    fields[name] ??= value.replace(/\r\n?/g, '\n');
  }
  return fields;
}
