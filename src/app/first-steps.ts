/** Which of its first steps an account has done, for the checklist on the overview page. */
import type { KeyRegistry } from '../accounts/key-registry.ts';
import { mayUseModel } from '../accounts/limits.ts';
import type { ScopeMirror } from '../accounts/scope-mirror.ts';
import { hasGoodKey } from '../api/management/keys/good-keys.ts';
import type { FirstSteps } from '../api/management/reports/usage.ts';
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Clock } from '../core/clock.ts';
import type { Storage } from '../storage/storage.ts';

export interface FirstStepsParts {
  readonly clock: Clock;
  readonly scopes: Pick<ScopeMirror, 'account'>;
  readonly providers: Pick<ProviderRegistry, 'current'>;
  readonly keys: Pick<KeyRegistry, 'newestFirst'>;
  readonly storage: Pick<Storage, 'users' | 'memberships'>;
}

export function firstSteps({ clock, scopes, providers, keys, storage }: FirstStepsParts): FirstSteps {
  return {
    hasProvider: () => [...providers.current.providers.values()].some(({ kind }) => kind !== 'demo'),
    hasKey: (account) =>
      hasGoodKey(keys.newestFirst(), clock.now(), (key) => key.accountId === account && key.kind === 'inference'),
    async hasInvited(account) {
      const all = await storage.memberships.membersOf(account);
      return all.length > 1 || (await storage.users.invitationsOf(account, clock.now())).length > 0;
    },
    model(account) {
      const { permissions } = scopes.account(account);
      const usable = providers.current.catalog
        .all()
        .filter(
          ({ id, targets, outputModalities }) =>
            outputModalities.includes('text') &&
            mayUseModel(permissions, id) &&
            targets.some(({ prices }) => prices !== null),
        );
      const real = usable.find(({ targets }) => targets.some(({ provider }) => provider !== 'demo'));
      return (real ?? usable.find(({ id }) => id === 'demo/echo') ?? usable[0])?.id ?? null;
    },
  };
}
