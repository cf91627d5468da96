/** The management API put together: what each noun's handlers work with, and who may come in. */
import { closeAccount, finishClosings } from '../accounts/close-account.ts';
import type { KeyRegistry } from '../accounts/key-registry.ts';
import { mayUseModel } from '../accounts/limits.ts';
import type { ScopeRegistry } from '../accounts/scope-registry.ts';
import { closingChange } from '../api/management/accounts/accounts.ts';
import { Creations } from '../api/management/door/idempotent.ts';
import { OwnAddress } from '../api/management/door/own-address.ts';
import type { Management } from '../api/management/door/parts.ts';
import { managementHandlers } from '../api/management/index.ts';
import type { AdminReset, ServerStatus } from '../api/management/installation/installation.ts';
import { hasGoodKey } from '../api/management/keys/good-keys.ts';
import { invitationsBy } from '../api/management/people/made-invitations.ts';
import type { LedgerBank } from '../billing/ledger-bank.ts';
import type { LedgerMaintenance } from '../billing/maintenance-ports.ts';
import type { CaptureRecorder } from '../capture/capture-recorder.ts';
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Config } from '../config/config.ts';
import type { AccountId } from '../core/ids.ts';
import type { Sealer } from '../core/sealer.ts';
import { VERSION } from '../core/version.ts';
import type { KeyKeeper } from '../credentials/key-keeper.ts';
import { schemeBehind } from '../gateway/arrival/client-address.ts';
import { managementEdge } from '../gateway/arrival/management-edge.ts';
import type { Limiter } from '../limits/limiter.ts';
import { AuditLog } from '../members/audit-log.ts';
import type { InvitingKeys } from '../members/inviting-keys.ts';
import { LIFETIME_MS } from '../members/links.ts';
import { Members } from '../members/members.ts';
import { People } from '../members/people.ts';
import type { AuditActor, NewAuditEntry, UserId } from '../members/ports.ts';
import { SignInServices } from '../members/sign-in-services.ts';
import { SmtpMailer } from '../notify/mail.ts';
import type { TestConnection } from '../probe/test-connection.ts';
import { LiveCalls } from '../stats/live-calls.ts';
import type { StatsReader } from '../stats/ports.ts';
import type { Recorder } from '../stats/recorder.ts';
import type { Refusals } from '../stats/refusals.ts';
import type { Storage } from '../storage/storage.ts';
import type { Gateway } from './build-gateway.ts';

export interface ManagementParts {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly storage: Storage;
  readonly keys: KeyRegistry;
  readonly scopes: ScopeRegistry;
  readonly bank: LedgerBank;
  readonly maintenance: LedgerMaintenance;
  readonly limiter: Limiter;
  readonly providers: ProviderRegistry;
  readonly records: Recorder;
  readonly refusals: Refusals;
  /** One that looks at the calls that have just ended first. */
  readonly stats: StatsReader;
  readonly captures: CaptureRecorder;
  readonly sealer: Sealer;
  readonly operations: readonly string[];
  readonly testConnection: TestConnection;
  readonly keyKeeper: Pick<KeyKeeper, 'check' | 'rotate'>;
  /** The address of the proxy an origin is reached through, never with its password; null where it is connected to directly. */
  proxyOf(origin: string): string | null;
  status(): ServerStatus;
}

export interface OpenManagement {
  readonly management: Management;
  /** Where the first operator is made; null once there is one. */
  setUpLink(): Promise<string | null>;
  close(): Promise<void>;
}

const SWEEP_EVERY_MS = 3_600_000;
/** Whoever missed more reads everything anew. */
const CHANGES_KEPT_MS = 24 * 3_600_000;
/** How long the end of the process waits for mails: a mail server that does not answer must not keep it. */
const CLOSE_PATIENCE_MS = 5_000;

/** Finishes what a crash cut off, and makes the operator that the configuration names. */
export async function openManagement(parts: ManagementParts): Promise<OpenManagement> {
  const { config, gateway, storage, keys, scopes, bank, captures, operations, stats } = parts;
  const { clock, log } = gateway;
  const { users, memberships } = storage;
  const { smtp } = config;
  const mailer =
    smtp.url === null || smtp.from === null ? null : new SmtpMailer({ url: smtp.url.reveal(), from: smtp.from });
  const invitingKeys: InvitingKeys = {
    mayInvite(id, account) {
      const key = keys.get(id);
      return key !== null && key.kind === 'management' && key.accountId === account && keys.isUsable(id);
    },
    nameOf: (id) => keys.get(id)?.name ?? null,
  };
  const { transactions } = storage;
  const signInServices = new SignInServices({
    users,
    transactions,
    memberships,
    scopes,
    keys: invitingKeys,
    seal: parts.sealer,
    mailer,
    clock,
    publicUrl: gateway.publicUrl,
    signUpRule: config.dashboard.signUp,
    onProblem: (message, cause) =>
      log.warn({ cause: cause instanceof Error ? cause.message : null }, message.replaceAll(' ', '_')),
  });
  const members = new Members({
    memberships,
    transactions,
    users,
    keys: invitingKeys,
    clock,
    newLink: (about) => signInServices.links.make({ ...about, purpose: 'invitation' }),
    endSessionsOf: (id) => signInServices.sessions.endAll(id),
  });
  const people = new People({
    users,
    memberships,
    clock,
    endSessionsOf: (id) => signInServices.sessions.endAll(id),
    voidPasswordLinksOf: (id) => signInServices.links.void('password', id),
  });
  const closing = { transactions, scopes, keys, voidInvitations: (id: AccountId) => members.voidInvitations(id) };
  const auditLog = new AuditLog(storage.audit, (entry) => log.error({ entry }, 'audit_entry_not_written'));
  const note = noteBySystem(auditLog, () => clock.now());
  await finishClosings(closing, async (done) => note(await closingChange(bank, done)));
  if (config.admin.email !== null && config.admin.password !== null)
    await signInServices.setUp.ensureOperator(
      { email: config.admin.email, password: config.admin.password.reveal() },
      note,
    );

  const adminReset = async (email: string | null): Promise<AdminReset> => {
    const made = await signInServices.setUp.resetLink(email, note);
    const expiresAt = clock.now() + LIFETIME_MS[made.email === null ? 'setup' : 'password'];
    return { email: made.email, url: made.link, expiresAt };
  };
  const names = { keys, scopes: gateway.scopes };
  const handlers = managementHandlers({
    sign_in: {
      signInServices,
      users,
      memberships,
      scopes,
      installation: {
        version: VERSION,
        signUp: config.dashboard.signUp,
        mail: mailer !== null,
        billingMode: config.billing.mode,
        baseUrl: gateway.publicUrl,
      },
    },
    profile: { signInServices, users },
    accounts: {
      scopes,
      keys,
      bank,
      memberships,
      captures,
      clock,
      operations,
      close: (id, told) => closeAccount(closing, id, told),
    },
    people: { people, keys, scopes: gateway.scopes },
    members: {
      members,
      keys,
      clock,
      invitationUrl: (token) => signInServices.links.addressOf('invitation', token),
      mailInvitation: (mail) => signInServices.mailInvitation(mail),
    },
    projects: { scopes, keys, bank, clock, operations },
    keys: {
      keys,
      scopes: gateway.scopes,
      bank,
      limiter: parts.limiter,
      clock,
      operations,
      nameOf: (actor) => nameOf(parts, actor),
      invitationsBy: (account, makers) => invitationsBy(members, account, makers),
    },
    balance: { ...names, bank, ledger: storage.ledger, maintenance: parts.maintenance, clock, stats },
    usage: { ...names, stats, clock, firstSteps: firstSteps(parts) },
    calls: {
      ...names,
      stats,
      live: new LiveCalls({ recorder: parts.records, clock }),
      refusals: parts.refusals,
      startedAt: clock.now(),
      prices: storage.prices,
      ledger: storage.ledger,
      captures,
    },
    providers: {
      registry: parts.providers,
      testConnection: parts.testConnection,
      proxyOf: parts.proxyOf,
      health: gateway.health,
      paidInAdvance: gateway.paidInAdvance,
      stats,
      clock,
    },
    health: { registry: parts.providers, health: gateway.health, stats, clock },
    audit: { audit: storage.audit },
    ledger: { maintenance: parts.maintenance },
    records: { records: parts.records },
    models: {
      get catalog() {
        return parts.providers.current.catalog;
      },
      bank,
    },
    credentials: { keyKeeper: parts.keyKeeper },
    installation: {
      version: VERSION,
      clock,
      maintenance: parts.maintenance,
      status: parts.status,
      adminReset,
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
      handlers,
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
    setUpLink: () => signInServices.setUp.link(),
    async close() {
      sweeping.cancel();
      await signInServices.background.settled({ clock, patienceMs: CLOSE_PATIENCE_MS });
    },
  };
}

type SystemChange = Pick<NewAuditEntry, 'action' | 'subject' | 'before' | 'after'> & {
  readonly accountId?: NewAuditEntry['accountId'];
};

/** What the program does by itself, without a request. */
function noteBySystem(auditLog: AuditLog, now: () => number): (change: SystemChange) => Promise<void> {
  const actor: AuditActor = { kind: 'system', id: null, name: 'Turnpike' };
  return ({ accountId = null, ...change }) =>
    auditLog.append({ ...change, accountId, at: now(), actor, ip: null, requestId: null });
}

/** What `user:<id>`, `key:<id>` or `operator` is called; null where nobody knows any more. */
async function nameOf({ storage, keys }: ManagementParts, actor: string): Promise<string | null> {
  const [kind, id] = actor.split(':', 2);
  if (kind === 'operator') return 'Operator';
  if (kind === 'user') return (await storage.users.user(Number(id) as UserId))?.name ?? null;
  if (kind === 'key') return keys.get(Number(id) as Parameters<KeyRegistry['get']>[0])?.name ?? null;
  return null;
}

function firstSteps({ gateway, providers, keys, storage }: ManagementParts) {
  const { clock, scopes } = gateway;
  return {
    hasProvider: () => [...providers.current.providers.values()].some(({ kind }) => kind !== 'demo'),
    hasKey: (account: AccountId) =>
      hasGoodKey(keys.newestFirst(), clock.now(), (key) => key.accountId === account && key.kind === 'inference'),
    async hasInvited(account: AccountId): Promise<boolean> {
      const all = await storage.memberships.membersOf(account);
      return all.length > 1 || (await storage.users.invitationsOf(account, clock.now())).length > 0;
    },
    model(account: AccountId): string | null {
      const { permissions } = scopes.account(account);
      const usable = providers.current.catalog
        .all()
        .filter(({ id, targets }) => mayUseModel(permissions, id) && targets.some(({ prices }) => prices !== null));
      const real = usable.find(({ targets }) => targets.some(({ provider }) => provider !== 'demo'));
      return (real ?? usable.find(({ id }) => id === 'demo/echo') ?? usable[0])?.id ?? null;
    },
  };
}
