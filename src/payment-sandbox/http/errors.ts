import type Stripe from 'stripe';

export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  doc_url?: string;
  charge?: string;
  request_log_url?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

/** An answer other than 200. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /** False for refusals before the operation began: a retry runs again. */
  readonly stored: boolean;

  constructor(status: number, body: ErrorBody, stored = true) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.stored = stored;
  }
}

/** 400 for parameters that never reach the operation. */
export function invalidParameter(param: string, code: string | undefined, message: string): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', code, message, param }, false);
}

/** 404 `resource_missing`. */
export function missing(object: string, id: string, param = 'id'): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${object}: '${id}'`,
    param,
  });
}

/** 400 for an operation the object's state does not allow. */
export function refused(code: string | undefined, message: string, more: Partial<ErrorBody> = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', code, message, ...more });
}

/** 401: no key, a wrong key, or a key of the wrong kind. */
export function unauthorized(message: string, code?: string): ApiError {
  return new ApiError(401, { type: 'invalid_request_error', code, message }, false);
}
