import type Stripe from 'stripe';
import { invalidParameter, missing } from './errors.ts';
import type { Params } from './params.ts';

interface Listed {
  id: string;
  created: number;
}

function readCreated(params: Params): (created: number) => boolean {
  const range = params.has('created') ? rangeOf(params) : null;
  if (!range) return () => true;
  return (created) =>
    (range.gt === undefined || created > range.gt) &&
    (range.gte === undefined || created >= range.gte) &&
    (range.lt === undefined || created < range.lt) &&
    (range.lte === undefined || created <= range.lte);
}

function rangeOf(params: Params): { gt?: number; gte?: number; lt?: number; lte?: number } {
  if (params.isText('created')) {
    const at = params.integer('created');
    return { gte: at, lte: at };
  }
  const group = params.group('created');
  return {
    gt: group?.integer('gt'),
    gte: group?.integer('gte'),
    lt: group?.integer('lt'),
    lte: group?.integer('lte'),
  };
}

/** One page of a list, newest first, by the provider's cursor rules (`limit` 1–100, default 10). */
export function listPage<T extends Listed>(
  rows: T[],
  url: string,
  params: Params,
  filter: (row: T) => boolean,
): Stripe.ApiList<T> {
  const limit = params.integer('limit') ?? 10;
  const after = params.text('starting_after') || undefined;
  const before = params.text('ending_before') || undefined;
  const inTime = readCreated(params);
  params.done();
  if (limit < 1 || limit > 100) {
    throw invalidParameter('limit', 'parameter_invalid_integer', 'limit must be between 1 and 100.');
  }
  const all = rows.toReversed();
  const cursor = after ?? before;
  const at = cursor === undefined ? -1 : all.findIndex((row) => row.id === cursor);
  if (cursor !== undefined && at === -1) {
    throw missing('object', cursor, after ? 'starting_after' : 'ending_before');
  }
  const wanted = (row: T) => filter(row) && inTime(row.created);
  if (before !== undefined && after === undefined) {
    const found = all.slice(0, at).filter(wanted);
    return { object: 'list', url, has_more: found.length > limit, data: found.slice(-limit) };
  }
  const found = all.slice(at + 1).filter(wanted);
  return { object: 'list', url, has_more: found.length > limit, data: found.slice(0, limit) };
}
