import { lookup as resolveName } from 'node:dns/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// IANA's special-purpose registries.
const closed = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  closed.addSubnet(network, prefix, 'ipv4');
}
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  // Tunnels and translations hide an address of the other family.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  closed.addSubnet(network, prefix, 'ipv6');
}

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && open6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

export interface OutsideNetwork {
  resolve: (host: string) => Promise<{ address: string; family: number }[]>;
  isAllowed: (address: string, port: number) => boolean;
}

export const INTERNET: OutsideNetwork = {
  resolve: (host) => resolveName(host, { all: true, verbatim: true }),
  isAllowed: (address, port) => isPublicAddress(address) && (port === 80 || port === 443),
};

export class Refused extends Error {
  override name = 'Refused';
}

export interface OutsideAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  head: Buffer;
}

const OUTER_MS = 30_000;
const NOT_YETS_MAX = 10;

export class OutOfTime extends Error {
  override name = 'OutOfTime';
}

/**
 * Asks a public address, follows no redirect and connects to the very address that was checked; settles
 * within its limit. @throws {Refused}
 */
export async function askOutside(
  url: URL,
  asked: {
    method: 'HEAD' | 'GET' | 'POST';
    headers: Record<string, string>;
    body?: string;
    bytes: number;
    signal: AbortSignal;
    limitMs?: number;
    network: OutsideNetwork;
  },
): Promise<OutsideAnswer> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new OutOfTime('No answer in time')), asked.limitMs ?? OUTER_MS);
  const stop = () => limit.abort(asked.signal.reason);
  if (asked.signal.aborted) stop();
  asked.signal.addEventListener('abort', stop, { once: true });
  try {
    return await ask(url, { ...asked, signal: limit.signal });
  } finally {
    clearTimeout(timer);
    asked.signal.removeEventListener('abort', stop);
  }
}

async function ask(
  url: URL,
  { method, headers, body, bytes, signal, network }: Parameters<typeof askOutside>[1],
): Promise<OutsideAnswer> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const found = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await within(network.resolve(host), signal);
  if (found.length === 0) throw new Error('The name has no address');
  if (!found.every(({ address }) => network.isAllowed(address, port))) {
    throw new Refused('leads into a private network or to an unusual port, which is not asked');
  }
  signal.throwIfAborted();
  const pinned: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestSecure : requestPlain;
    const request = send(url, {
      method,
      agent: false,
      lookup: pinned,
      maxHeaderSize: 16_384,
      headers,
    });
    const end = () => {
      signal.removeEventListener('abort', stop);
      request.destroy();
    };
    const fail = (error: unknown) => {
      reject(error);
      end();
    };
    const answer = (response: IncomingMessage, head: Buffer) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, head });
      end();
    };
    const stop = () => fail(signal.reason);
    const cutOff = () => fail(new Error('The connection was closed before the answer had ended'));
    signal.addEventListener('abort', stop, { once: true });
    // An error after the head would otherwise end the process.
    request.on('error', fail);
    request.once('close', cutOff);
    request.once('upgrade', (response, socket) => {
      socket.on('error', () => {}).destroy();
      answer(response, Buffer.alloc(0));
    });
    let notYets = 0;
    request.on('information', () => {
      notYets += 1;
      if (notYets > NOT_YETS_MAX) fail(new Error('It only ever says that the answer will come'));
    });
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const done = () => answer(response, Buffer.concat(chunks).subarray(0, bytes));
      response.on('error', fail);
      response.once('aborted', cutOff);
      if (bytes === 0) return done();
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= bytes) done();
      });
      response.once('end', done);
      response.once('close', cutOff);
    });
    request.end(body);
  });
}

/** dns.lookup has no timeout. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
