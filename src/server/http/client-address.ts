import { BlockList, isIP } from 'node:net';

type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Reads X-Forwarded-For from its right end while addresses are trusted: the rest can be forged. */
export function clientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (peer, forwardedFor) => {
    let address = plain(peer ?? '0.0.0.0');
    if (!forwardedFor || trusted.length === 0 || !isTrusted(address)) return address;
    const hops = forwardedFor.split(',');
    for (let index = hops.length - 1; index >= 0; index--) {
      const hop = plain(hops[index]!.trim());
      if (!isIP(hop)) break;
      address = hop;
      if (!isTrusted(hop)) break;
    }
    return address;
  };
}

const WATCHED = 100;
const FORWARDED = 80;

/** Finds one address that nearly all requests come from, each with an ignored X-Forwarded-For. */
export function watchForProxy(
  found: (address: string) => void,
): (request: { client: string; peer: string | undefined; forwardedFor: string | undefined }) => void {
  let seen = 0;
  let forwarded = new Map<string, number>();
  return ({ client, peer, forwardedFor }) => {
    seen += 1;
    if (forwardedFor && client === plain(peer ?? '')) forwarded.set(client, (forwarded.get(client) ?? 0) + 1);
    if (seen < WATCHED) return;
    for (const [address, count] of forwarded) if (count >= FORWARDED) found(address);
    seen = 0;
    forwarded = new Map();
  };
}

/** An IPv6 /64 is one household or customer. */
export function limitedAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const groups =
    tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
