/** An alias: a name that leads to one of several models. It belongs to the installation, an account or a project, and the narrowest is used. */
import type { AccountId, AliasId, ProjectId } from '../core/ids.ts';

/** A model that an alias may lead to. */
export interface AliasTarget {
  /** An exact id, never another alias. */
  readonly model: string;
  /** The only provider to ask for it; null for all that serve it. */
  readonly provider: string | null;
  /** Its share of the calls, relative to the other weights. 0: only if the others fail. A whole number. */
  readonly weight: number;
}

/** How one of the models is chosen: `key`, the same one for all calls of a key; `random`, at random for each call. */
export const ALIAS_CHOICES = ['key', 'random'] as const;
export type AliasChoice = (typeof ALIAS_CHOICES)[number];

/** What a caller's name leads to. */
export interface AliasRule {
  /** `fast`, `team/default`. */
  readonly name: string;
  readonly choice: AliasChoice;
  /** Never empty, in the order in which they are tried after the chosen one. */
  readonly targets: readonly AliasTarget[];
}

/** A stored alias. Without an account it is the installation's, without a project the whole account's. */
export interface Alias extends AliasRule {
  readonly id: AliasId;
  readonly accountId: AccountId | null;
  readonly projectId: ProjectId | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The number of its last change in the feed; a row in memory is replaced by one with a higher number. */
  readonly seq: number;
}

/** Whose aliases: an installation's has neither, an account's has no project. */
export type AliasScope = Pick<Alias, 'accountId' | 'projectId'>;
