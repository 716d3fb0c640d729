import { lookup as resolveName } from 'node:dns/promises';
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// Everything that is not the public internet (IANA's special-purpose registries): this machine, its neighbors, and what
// hosts tell their guests about themselves.
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

/** Whether an IP address lies in the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && open6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** How names are looked up and which addresses may be asked; tests put their own in. */
export interface OutsideNetwork {
  resolve: (host: string) => Promise<{ address: string; family: number }[]>;
  isAllowed: (address: string, port: number) => boolean;
}

/** The public internet, at the ports of the web. */
export const INTERNET: OutsideNetwork = {
  resolve: (host) => resolveName(host, { all: true, verbatim: true }),
  isAllowed: (address, port) => isPublicAddress(address) && (port === 80 || port === 443),
};

/** An address that is never asked. */
export class Refused extends Error {
  override name = 'Refused';
}

export interface OutsideAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** As many bytes of it as were asked for. */
  head: Buffer;
}

/**
 * Asks an address of the web and follows no redirect. Never reaches into a private network: the very address that was
 * checked is connected to, so that a name cannot mean another one a moment later.
 *
 * @param asked `bytes`: how much of the answer is read, the rest is cut off; `signal` ends all of it
 * @throws {Refused} for an address that is not public
 */
export async function askOutside(
  url: URL,
  asked: {
    method: 'HEAD' | 'GET' | 'POST';
    headers: Record<string, string>;
    body?: string;
    bytes: number;
    signal: AbortSignal;
    network: OutsideNetwork;
  },
): Promise<OutsideAnswer> {
  const { method, headers, body, bytes, signal, network } = asked;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const found = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await within(network.resolve(host), signal);
  if (found.length === 0) throw new Error('The name has no address');
  if (!found.every(({ address }) => network.isAllowed(address, port))) {
    throw new Refused('leads into a private network or to an unusual port, which is not asked');
  }
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
      signal,
      maxHeaderSize: 16_384,
      headers,
    });
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const done = () => {
        const head = Buffer.concat(chunks).subarray(0, bytes);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, head });
        response.destroy();
      };
      if (bytes === 0) return done();
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= bytes) done();
      });
      response.once('end', done);
      response.once('error', reject);
    });
    // Each of them: an answer that goes wrong after its head would end the process otherwise.
    request.on('error', reject);
    request.end(body);
  });
}

/** A name's lookup knows no end of its own. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
