import { env } from '#src/server/start/env.ts';

let listens = false;

export function siteListens(): void {
  listens = true;
}

export function ownAddress(): { address: string; port: number } | null {
  if (!listens) return null;
  const { host, port } = env();
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return { address: isEverywhere ? '127.0.0.1' : host, port };
}
