export const STATUS_BY_CODE = {
  bad_request: 400,
  invalid_input: 400,
  unauthenticated: 401,
  second_factor_required: 401,
  payment_required: 402,
  forbidden: 403,
  proof_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  price_changed: 409,
  already_owned: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  not_understood: 422,
  too_many_requests: 429,
  internal: 500,
  provider_unavailable: 502,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_BY_CODE;

/** By field name. */
export type FieldErrors = Record<string, string>;

/** Decision 42. */
export type ErrorBody = {
  message: string;
  code: string;
  requestId: string;
  fields?: FieldErrors;
  [extra: string]: unknown;
};

/** A post without scripts, shown again. */
export interface RefusedForm {
  message: string;
  fields: FieldErrors;
  /** Without passwords. */
  typed: Record<string, string>;
}

type AppErrorOptions = {
  fields?: FieldErrors;
  /** `Retry-After`. */
  retryAfterSeconds?: number;
  /** Public facts, such as the total after a price change. */
  extra?: Record<string, unknown>;
  cause?: unknown;
};

/** Its message is shown; any other error is a fixed 500. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly extra: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.extra = options.extra;
  }

  get status(): number {
    return STATUS_BY_CODE[this.code];
  }
}
