/**
 * Creates, changes and deletes aliases, each in one transaction. Memory follows the feed on commit, so a change applies to the next call once
 * its promise resolves.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId, AliasId } from '../core/ids.ts';
import type { Transactions } from '../core/transactions.ts';
import type { Alias, AliasRule, AliasScope } from './alias.ts';
import type { AliasMirror } from './alias-mirror.ts';
import { type AliasCheck, checkAliasName, checkAliasTargets } from './check-alias.ts';
import type { Catalog } from './model.ts';
import type { AliasStore } from './ports.ts';

export interface AliasRegistryParts {
  readonly store: AliasStore;
  readonly transactions: Transactions;
  readonly mirror: AliasMirror;
  readonly clock: Pick<Clock, 'now'>;
  /** The current one. */
  readonly catalog: () => Catalog;
}

/** Of an account with its projects, and of the installation: they are in the memory that calls read. */
export const ALIASES_MAX = 1_000;

export class AliasRegistry {
  readonly #parts: AliasRegistryParts;

  constructor(parts: AliasRegistryParts) {
    this.#parts = parts;
  }

  get mirror(): AliasMirror {
    return this.#parts.mirror;
  }

  /**
   * Throws `GatewayError` `invalid_value` for a name or a target that cannot be used, `conflict` if the name is taken in this scope, or there
   * are too many.
   */
  create(scope: AliasScope, rule: AliasRule): Promise<Alias> {
    const { store, transactions, clock } = this.#parts;
    const check = this.#check(scope);
    checkAliasName(check, rule.name);
    const targets = checkAliasTargets(check, rule.targets);
    return transactions.run(async () => {
      await this.#checkCount(scope.accountId);
      const made = await store.create({
        accountId: scope.accountId,
        projectId: scope.projectId,
        ...rule,
        targets,
        createdAt: clock.now(),
      });
      if (made === null) throw nameTaken();
      return made;
    });
  }

  /** Absent fields stay as they are. Throws like `create`, and `not_found` if the alias has gone. */
  update(id: AliasId, changes: Partial<AliasRule>): Promise<{ readonly before: Alias; readonly after: Alias }> {
    const { store, transactions, clock } = this.#parts;
    return transactions.run(async () => {
      const before = await store.find(id);
      if (before === null) throw noAlias();
      const { name, targets } = changes;
      const check = this.#check(before);
      if (name !== undefined && name !== before.name) {
        checkAliasName(check, name);
        if ((await store.named(before, name)) !== null) throw nameTaken();
      }
      const checked = targets === undefined ? {} : { targets: checkAliasTargets(check, targets, before.targets) };
      const after = await store.update(id, { ...changes, ...checked, updatedAt: clock.now() });
      if (after === null) throw noAlias();
      return { before, after };
    });
  }

  /** The alias as it was. Throws `GatewayError` `not_found`. */
  delete(id: AliasId): Promise<Alias> {
    const { store, transactions } = this.#parts;
    return transactions.run(async () => {
      const alias = await store.find(id);
      if (alias === null || !(await store.delete(id))) throw noAlias();
      return alias;
    });
  }

  #check({ accountId, projectId }: AliasScope): AliasCheck {
    const { mirror } = this.#parts;
    const isAlias = (name: string) =>
      mirror.isFixed(name) ||
      mirror
        .all()
        .some(
          (each) =>
            each.name === name &&
            (each.accountId === null || each.accountId === accountId) &&
            (each.projectId === null || each.projectId === projectId),
        );
    return { catalog: this.#parts.catalog(), isAlias };
  }

  async #checkCount(account: AccountId | null): Promise<void> {
    if ((await this.#parts.store.count(account)) < ALIASES_MAX) return;
    const whose = account === null ? 'An installation' : 'An account with its projects';
    throw new GatewayError('conflict', {
      message: `${whose} can have at most ${ALIASES_MAX} aliases. Delete some first.`,
    });
  }
}

function nameTaken(): GatewayError {
  return new GatewayError('conflict', { message: 'There is already an alias with this name here.', param: 'name' });
}

function noAlias(): GatewayError {
  return new GatewayError('not_found', { message: 'No alias matches.', param: 'alias' });
}
