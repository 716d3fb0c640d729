import type { Executor, Tx } from '#db/client.ts';

export interface Person {
  id: number;
  email: string;
  ownsEmail: boolean;
}

export interface PersonalDataPart {
  rows(tx: Executor, person: Person): Promise<Record<string, unknown>>;
  /** Left out where all rows go with the account's row, which is deleted last. */
  erase?(tx: Tx, person: Person, by: { actorId: number; source: 'admin' | 'buyer' }): Promise<void>;
}
