/** Opens sign-in, memberships and people. */
import type { KeyRegistry } from '../accounts/key-registry.ts';
import type { ScopeRegistry } from '../accounts/scope-registry.ts';
import type { Config } from '../config/config.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import type { InvitingKeys } from '../members/inviting-keys.ts';
import type { Mailer } from '../members/mails.ts';
import { Members } from '../members/members.ts';
import { People } from '../members/people.ts';
import { SignInServices } from '../members/sign-in-services.ts';
import type { Storage } from '../storage/storage.ts';
import type { Gateway } from './build-gateway.ts';

export interface MembersParts {
  readonly gateway: Pick<Gateway, 'clock' | 'log' | 'publicUrl'>;
  readonly storage: Pick<Storage, 'users' | 'memberships' | 'transactions' | 'shared'>;
  readonly keys: KeyRegistry;
  readonly scopes: ScopeRegistry;
  readonly sealer: Sealer;
  /** Null if no mail server is configured. */
  readonly mailer: Mailer | null;
}

export interface OpenMembers {
  readonly signInServices: SignInServices;
  readonly members: Members;
  readonly people: People;
}

export function openMembers({ dashboard }: Config, parts: MembersParts): OpenMembers {
  const { gateway, storage, scopes, sealer, mailer } = parts;
  const { clock, log, publicUrl } = gateway;
  const { users, memberships, transactions } = storage;
  const keys = invitingKeys(parts.keys);
  const signInServices = new SignInServices({
    users,
    transactions,
    memberships,
    scopes,
    keys,
    seal: sealer,
    mailer,
    clock,
    publicUrl,
    signUpRule: dashboard.signUp,
    attemptStore: storage.shared?.attempts ?? null,
    onProblem: (message, cause) =>
      log.warn({ cause: cause instanceof Error ? cause.message : null }, message.replaceAll(' ', '_')),
  });
  const { links, sessions } = signInServices;
  const members = new Members({
    memberships,
    transactions,
    users,
    keys,
    clock,
    counts: signInServices.counts,
    newLink: (about) => links.make({ ...about, purpose: 'invitation' }),
    endSessionsOf: (id) => sessions.endAll(id),
  });
  const people = new People({
    users,
    memberships,
    clock,
    endSessionsOf: (id) => sessions.endAll(id),
    voidPasswordLinksOf: (id) => links.void('password', id),
  });
  return { signInServices, members, people };
}

function invitingKeys(keys: KeyRegistry): InvitingKeys {
  const mayInvite: InvitingKeys['mayInvite'] = (id, account) => {
    const key = keys.get(id);
    return key !== null && key.kind === 'management' && key.accountId === account && keys.isUsable(id);
  };
  return {
    mayInvite,
    mayStillInvite: async (id, account) => mayInvite(id, account) && (await keys.isStillGood(id)),
    nameOf: (id) => keys.get(id)?.name ?? null,
  };
}
