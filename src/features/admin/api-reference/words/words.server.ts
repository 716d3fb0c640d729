import type { LimitName } from '#src/server/limits/limits.ts';
import type { ErrorCode } from '#src/shared/errors.ts';

/** The sentence of a refusal by its code. What stands in braces differs from case to case. */
type Refusals = Partial<Record<ErrorCode, string>>;

/** What the reference says about calls, by method and path. */
export type Words = Record<
  string,
  {
    /** What it does; the first sentence is its title. */
    says: string;
    /** Nobody has to sign in. */
    open?: true;
    limit?: LimitName;
    /** What only this call refuses; the rest follows from its contract. */
    refuses?: Refusals;
    /** An example of its body, where one made of the fields would not do. */
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
