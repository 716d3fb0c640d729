import type { LimitName } from '#src/server/limits/limits.ts';
import type { ErrorCode } from '#src/shared/errors.ts';

/** By code; braces hold what varies. */
type Refusals = Partial<Record<ErrorCode, string>>;

/** By method and path. */
export type Words = Record<
  string,
  {
    /** The first sentence is the title. */
    says: string;
    open?: true;
    limit?: LimitName;
    /** Besides those of its contract. */
    refuses?: Refusals;
    /** Where one made of the fields is no good. */
    input?: Record<string, unknown>;
  }
>;

export const OWNERS_ONLY: Refusals = {
  forbidden: 'Only an owner of the organisation can do this.',
  not_found: 'There is no such organisation.',
};

export const PAYING: Refusals = {
  provider_unavailable: 'The payment provider cannot be reached. Please try again.',
  unavailable: 'Payments are not set up on this site yet.',
};
