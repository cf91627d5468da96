/** Opens the management API: its services, its sessions, and what must be done before it serves. */
import { closeAccount, finishClosings } from '../accounts/close-account.ts';
import { closingChange } from '../api/management/accounts/accounts.ts';
import { Creations } from '../api/management/door/idempotent.ts';
import { OwnAddress } from '../api/management/door/own-address.ts';
import type { Management } from '../api/management/door/parts.ts';
import { managementHandlers } from '../api/management/index.ts';
import type { AdminReset } from '../api/management/installation/installation.ts';
import type { AccountId } from '../core/ids.ts';
import { schemeBehind } from '../gateway/arrival/client-address.ts';
import { managementEdge } from '../gateway/arrival/management-edge.ts';
import { AuditLog } from '../members/audit-log.ts';
import { LIFETIME_MS } from '../members/links.ts';
import type { AuditActor, NewAuditEntry } from '../members/ports.ts';
import { type ManagementParts, managementServices } from './management-services.ts';
import { openMembers } from './open-members.ts';

export interface OpenManagement {
  readonly management: Management;
  /** A link that creates the first operator; null once there is one. */
  setUpLink(): Promise<string | null>;
  close(): Promise<void>;
}

const SWEEP_EVERY_MS = 3_600_000;
/** A reader that missed more must reload everything. */
const CHANGES_KEPT_MS = 24 * 3_600_000;
/** How long shutdown waits for emails: a mail server that does not answer must not delay it further. */
const CLOSE_PATIENCE_MS = 5_000;

/** Finishes account closings that a crash interrupted, and creates the operator named in the configuration. */
export async function openManagement(parts: ManagementParts): Promise<OpenManagement> {
  const { config, gateway, storage, keys, scopes } = parts;
  const { clock, log } = gateway;
  const { transactions, memberships } = storage;
  const opened = openMembers(config, parts);
  const { signInServices, members } = opened;
  const { setUp } = signInServices;
  const auditLog = new AuditLog(storage.audit, (entry) => log.error({ entry }, 'audit_entry_not_written'));
  const note = noteBySystem(auditLog, () => clock.now());
  const closing = { transactions, scopes, keys, voidInvitations: (id: AccountId) => members.voidInvitations(id) };
  await finishClosings(closing, async (done) => note(await closingChange(gateway.bank, done)));
  if (config.admin.email !== null && config.admin.password !== null)
    await setUp.ensureOperator({ email: config.admin.email, password: config.admin.password.reveal() }, note);

  const services = managementServices(parts, opened, {
    closeAccount: (id, noteClosing) => closeAccount(closing, id, noteClosing),
    async adminReset(email): Promise<AdminReset> {
      const made = await setUp.resetLink(email, note);
      const expiresAt = clock.now() + LIFETIME_MS[made.email === null ? 'setup' : 'password'];
      return { email: made.email, url: made.link, expiresAt };
    },
  });
  const sweeping = clock.every(SWEEP_EVERY_MS, () => {
    signInServices.sweep().catch((error: Error) => log.warn({ cause: error.message }, 'sessions_not_swept'));
    storage.feed
      .forgetBefore(clock.now() - CHANGES_KEPT_MS)
      .catch((error: Error) => log.warn({ cause: error.message }, 'changes_not_forgotten'));
  });

  return {
    management: {
      clock,
      handlers: managementHandlers(services),
      sessions: signInServices.sessions,
      accounts: gateway.scopes,
      memberships,
      auditLog,
      transactions,
      creations: new Creations({
        store: storage.creations,
        sealer: parts.sealer,
        clock,
        onTrouble: (cause) =>
          log.warn({ cause: cause instanceof Error ? cause.message : null }, 'creation_answer_not_kept'),
      }),
      address: new OwnAddress(config.publicUrl, schemeBehind(config.trustProxy)),
      edge: managementEdge(gateway),
      isStorageTrouble: (error) => storage.isTrouble(error),
    },
    setUpLink: () => setUp.link(),
    async close() {
      sweeping.cancel();
      await signInServices.background.settled({ clock, patienceMs: CLOSE_PATIENCE_MS });
    },
  };
}

type SystemChange = Pick<NewAuditEntry, 'action' | 'subject' | 'before' | 'after'> & {
  readonly accountId?: NewAuditEntry['accountId'];
};

/** Changes that the program makes by itself, without a request. */
function noteBySystem(auditLog: AuditLog, now: () => number): (change: SystemChange) => Promise<void> {
  const actor: AuditActor = { kind: 'system', id: null, name: 'Turnpike' };
  return ({ accountId = null, ...change }) =>
    auditLog.append({ ...change, accountId, at: now(), actor, ip: null, requestId: null });
}
