/** A bank that random requests are played to, with all that can be known of it. */
import type { NewEntry, PostAnswer } from '../../../src/billing/entry.ts';
import type { AccountId } from '../../../src/core/ids.ts';
import type { Money } from '../../../src/core/money.ts';
import type { NodeBank, NodePlace, ScopeMoney, ScopeRef, VisitorBank } from '../../../src/nodes/ports.ts';
import type { ReplayClaims } from '../../../src/replay/ports.ts';

/** The account's ids, and those of a key and a project of it. */
export const ACCOUNTS = [
  { account: 7, project: 21, key: 31 },
  { account: 8, project: 22, key: 32 },
] as const;

export const START = Date.UTC(2026, 10, 21, 12);

export interface ComparedBank {
  readonly bank: NodeBank & Pick<VisitorBank, 'recall'>;
  /** Sets the database's clock. */
  setTime(ms: number): Promise<void>;
  post(entry: NewEntry): Promise<PostAnswer>;
  claims(place: () => NodePlace): Pick<ReplayClaims, 'claim' | 'claimAgain' | 'release' | 'giveUp'>;
  makeAccount(accountId: AccountId, at: number): Promise<void>;
  /** It is as if the account had never been made. */
  loseAccount(accountId: AccountId): Promise<void>;
  /** All tables, as texts in order: one line a row. Rows without any amount may be missing. */
  tables(): Promise<readonly string[]>;
}

export interface ShownMoney {
  readonly spent: ScopeMoney['spent'];
  readonly lastDay: number | null;
  readonly balance: Money | null;
}

export const SCOPES: readonly ScopeRef[] = ACCOUNTS.flatMap(({ account, project, key }) => [
  { scope: 'account' as const, id: account },
  { scope: 'project' as const, id: project },
  { scope: 'key' as const, id: key },
]);
