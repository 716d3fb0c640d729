import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { loggableUrl } from '#src/server/log.ts';
import { hasBody } from './request-head.ts';
import type { Site } from './site.ts';

// The caller gets to see the refusal.
const DISCARD_MS = 1_000;
const DISCARD_MAX_BYTES = 4_000_000;

const ERROR_TITLES: Record<number, readonly [code: string, message: string]> = {
  400: ['bad_request', 'The request is not valid.'],
  401: ['unauthorized', 'This address needs an authorization, and the request has none.'],
  403: ['forbidden', 'The request is not allowed here.'],
  404: ['not_found', 'Not found.'],
  405: ['method_not_allowed', 'This address does not take this method.'],
  408: ['request_timeout', 'The request took too long to arrive.'],
  411: ['length_required', 'The request must say how long its body is.'],
  413: ['too_large', 'The request is too large.'],
  414: ['uri_too_long', 'The address is too long.'],
  417: ['expectation_failed', 'The expectation cannot be met.'],
  429: ['too_many_requests', 'Too many requests. Please wait a moment and try again.'],
  431: ['headers_too_large', 'The request headers are too large.'],
  500: ['internal', 'Something went wrong on our side. Please try again.'],
  501: ['not_implemented', 'The request body has a coding that is not known here.'],
  503: ['unavailable', 'The service is not ready. Please try again in a moment.'],
};

const errorParts = (status: number) => ERROR_TITLES[status] ?? ERROR_TITLES[status < 500 ? 400 : 500]!;

export function errorBody(status: number, requestId: string, json: boolean): { type: string; body: Buffer } {
  const [code, message] = errorParts(status);
  if (json) {
    return {
      type: 'application/json; charset=utf-8',
      body: Buffer.from(JSON.stringify({ message, code, requestId })),
    };
  }
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${message}</title></head>
<body><main><h1>${message}</h1><p>Request ${requestId}</p><p><a href="/">Go to the home page</a></p></main></body></html>
`;
  return { type: 'text/html; charset=utf-8', body: Buffer.from(page) };
}

export const isApi = (path: string | undefined) => /^\/(api|payment-sandbox)\//.test(path ?? '');

export function refuse(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  status: number,
  extra: string[] = [],
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  recordRefusal(site, request, response, requestId, status);
  const { type, body } = errorBody(status, requestId, isApi(request.url));
  const unread = hasBody(request) && !request.complete;
  const headers = site.plainHeaders.concat(
    ['X-Request-Id', requestId, 'Content-Type', type, 'Content-Length', String(body.length)],
    // The rest of the body would be taken for the next request.
    unread || site.isDraining ? ['Connection', 'close'] : [],
    extra,
  );
  if (unread) response.shouldKeepAlive = false;
  response.writeHead(status, headers);
  if (request.method === 'HEAD') {
    response.end();
  } else if (unread) {
    response.write(body);
    discardBody(request, () => {
      response.end();
      request.socket.destroySoon();
    });
  } else {
    response.end(body);
  }
}

function recordRefusal(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  status: number,
): void {
  const [code] = errorParts(status);
  const followed = site.running.get(response);
  if (followed) {
    followed.code = code;
    return;
  }
  const { method = '', url = '' } = request;
  const ip = site.addressOf(request);
  site.options.metrics?.observeRefusal(code);
  site.options.log.info({ requestId, method, url: loggableUrl(url), status, code, ip }, 'request');
}

export function answerRaw(
  site: Site,
  socket: Duplex,
  status: number,
  method?: string,
  reason?: string,
  allow?: string,
): void {
  const requestId = site.nextId();
  const [code] = errorParts(status);
  site.options.metrics?.observeRefusal(code);
  const ip = site.addressOf({ socket: socket as Socket, headers: {} });
  site.options.log.info({ requestId, method, status, code, reason, ip }, 'request');
  const { type, body } = errorBody(status, requestId, false);
  const headers = [
    ...site.plainHeaders,
    'X-Request-Id',
    requestId,
    'Content-Type',
    type,
    'Connection',
    'close',
  ];
  if (allow) headers.push('Allow', allow);
  let head = `HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? 'Error'}\r\nDate: ${new Date().toUTCString()}\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  socket.on('error', () => {});
  socket.end(Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]));
  // Reading on lets the caller see the answer; not for ever.
  setTimeout(() => socket.destroy(), DISCARD_MS).unref();
}

const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

export function statusOfClientError(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): number {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    case 'HPE_INVALID_METHOD':
      // A word that looks like a method is refused as one; anything else is not HTTP.
      return /^[A-Z]{3,20} \//.test(error.rawPacket?.toString('latin1', 0, 40) ?? '') ? 405 : 400;
    default:
      return 400;
  }
}

function discardBody(request: IncomingMessage, done: () => void): void {
  let bytes = 0;
  let finished = false;
  const finish = () => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    done();
  };
  const timer = setTimeout(finish, DISCARD_MS);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARD_MAX_BYTES) {
      request.pause();
      finish();
    }
  });
  request.on('end', finish);
  request.on('close', finish);
  request.resume();
}
