import type { Executor, Tx } from '#db/client.ts';

/** Somebody whose data is handed out or erased. */
export interface Person {
  id: number;
  email: string;
  /** The address is verified, so that what names the address alone is this person's too (decision 13). */
  ownsEmail: boolean;
}

/** What a feature holds about people. */
export interface PersonalDataPart {
  /** All of it about one person, by the names that it has in the file that they are given. */
  rows(tx: Executor, person: Person): Promise<Record<string, unknown>>;
  /**
   * Takes a person out of the rows that stay. Left out where all that the feature has goes with the account's row, which
   * is deleted last.
   */
  erase?(tx: Tx, person: Person, by: { actorId: number; source: 'admin' | 'buyer' }): Promise<void>;
}
