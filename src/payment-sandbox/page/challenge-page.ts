import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Core, memoryOf } from '#src/payment-sandbox/core.ts';
import { ApiError } from '#src/payment-sandbox/http/errors.ts';
import { findIntent, finishChallenge } from '#src/payment-sandbox/objects/intents.ts';
import { printAmount } from '#src/payment-sandbox/money.ts';
import type { StoredIntent } from '#src/payment-sandbox/state.ts';

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:#f3f5f8;color:#17202c}
main{box-sizing:border-box;width:min(26rem,calc(100vw - 2rem));padding:1.75rem;background:#fff;border-radius:12px;box-shadow:0 8px 30px #17202c1f}
h1{margin:0 0 .5rem;font-size:1.25rem}p{margin:0 0 1.25rem;color:#4a5666}
form{display:grid;gap:.625rem}
button{font:inherit;font-weight:600;min-height:44px;border-radius:8px;border:1px solid #c3cad4;background:#fff;color:#17202c;cursor:pointer}
button[value=complete]{background:#1d4ed8;border-color:#1d4ed8;color:#fff}
button:focus-visible{outline:3px solid #1d4ed8;outline-offset:2px}
</style>
</head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>`;
}

function send(res: ServerResponse, status: number, html: string): void {
  res.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  });
  res.end(html);
}

/** The return address with what the provider adds to it after a redirect. */
function returnAddress(returnUrl: string, intent: StoredIntent): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', intent.id);
  url.searchParams.set('payment_intent_client_secret', intent.client_secret);
  const status =
    intent.status === 'processing' ? 'pending' : intent.status === 'succeeded' ? 'succeeded' : 'failed';
  url.searchParams.set('redirect_status', status);
  return url.href;
}

/** The bank's page for authentication by redirect: GET shows it, POST takes the answer and redirects back. */
export function serveChallenge(
  core: Core,
  req: IncomingMessage,
  res: ServerResponse,
  url: URL,
  form: URLSearchParams,
): void {
  const id = url.pathname.split('/')[2] ?? '';
  const source = (req.method === 'POST' ? form : url.searchParams).get('source') ?? '';
  try {
    const intent = findIntent(core, id);
    if (req.method === 'POST') {
      const outcome = form.get('outcome') === 'complete' ? 'complete' : 'fail';
      const finished = finishChallenge(core, id, source, outcome);
      if (finished.returnUrl) {
        res.writeHead(303, { location: returnAddress(finished.returnUrl, finished.intent) }).end();
      } else {
        send(res, 200, page('Authentication finished', '<p>You can close this page.</p>'));
      }
      return;
    }
    if (memoryOf(core, id).challenge?.source !== source) {
      send(res, 410, page('Nothing to authenticate', '<p>This authentication is no longer open.</p>'));
      return;
    }
    const amount = escapeHtml(printAmount(intent.amount, intent.currency));
    send(
      res,
      200,
      page(
        '3-D Secure test page',
        `<p>A bank would ask for its customer's approval of this payment of ${amount}. Choose how it ends.</p>
<form method="post" action="${escapeHtml(url.pathname)}"><input type="hidden" name="source" value="${escapeHtml(source)}">
<button name="outcome" value="complete">Complete authentication</button>
<button name="outcome" value="fail">Fail authentication</button></form>`,
      ),
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    send(res, error.status, page('Nothing to authenticate', `<p>${escapeHtml(error.message)}</p>`));
  }
}
