/** Emails those who can replace a credential that a provider rejects: operators, or the owners and admins of the account that brought it. */
import type { ScopeMirror } from '../../accounts/scope-mirror.ts';
import type { StoredOwnCredential } from '../../byok/ports.ts';
import type { Clock } from '../../core/clock.ts';
import { GentleMailer, harmless, type Mailer } from '../../members/mails.ts';
import type { User, UserId } from '../../members/ports.ts';
import { ownRejectedMail, rejectedMail } from '../../notify/credential-mails.ts';
import { DailyAlerts } from '../../notify/daily-alerts.ts';
import type { BreakerChange } from '../../routing/breaker/breakers.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Log } from '../../telemetry/log.ts';

export interface CredentialAlertParts {
  /** Null if no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly storage: Pick<Storage, 'users' | 'memberships'>;
  readonly accounts: Pick<ScopeMirror, 'account'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** The base URL for browsers; null without a dashboard. */
  readonly dashboard: () => string | null;
}

export interface CredentialAlerts {
  /** One of the operator's. */
  rejected(change: BreakerChange): void;
  /** One of an account's or project's own. `mark` is another one for a later secret; `status` is the provider's. */
  ownRejected(stored: StoredOwnCredential, mark: string, status: number | null): void;
}

const PEOPLE_AT_ONCE = 100;
/** How long a shutdown waits for an email. */
const CLOSE_PATIENCE_MS = 2_000;

export function openCredentialAlerts(parts: CredentialAlertParts, closing: AsyncDisposableStack): CredentialAlerts {
  const { mailer, storage, accounts, clock, log, dashboard } = parts;
  const alerts = new DailyAlerts({
    mailer: mailer === null ? null : new GentleMailer(mailer),
    clock,
    onProblem: (error) => log.warn({ cause: error instanceof Error ? error.message : null }, 'alert_not_mailed'),
  });
  closing.defer(() => alerts.close(CLOSE_PATIENCE_MS));
  const pageOf = (path: string) => {
    const base = dashboard();
    return base === null ? null : `${base.replace(/(?<!\/)\/+$/, '')}${path}`;
  };
  return {
    rejected({ provider, credential, hint, mark, model, status }) {
      const shown = hint === null ? `number ${credential + 1}` : `…${hint}`;
      const page = pageOf(`/providers?provider=${encodeURIComponent(provider)}`);
      alerts.alert({
        id: `provider ${provider} ${mark ?? credential}`,
        group: 'operators',
        ...rejectedMail({ provider, credential: shown, model, status, page }),
        recipients: () => operatorsOf(storage),
      });
    },
    ownRejected({ id, accountId, kind, name, hint }, mark, status) {
      const mail = ownRejectedMail({
        provider: kind,
        credential: hint === null ? '…' : `…${hint}`,
        name: harmless(name),
        account: harmless(accounts.account(accountId).name),
        status,
        page: pageOf('/own-credentials'),
      });
      alerts.alert({
        id: `own ${id} ${mark}`,
        group: `account ${accountId}`,
        ...mail,
        recipients: async () => {
          const members = await storage.memberships.membersOf(accountId);
          const admins = members.filter(({ role }) => role === 'owner' || role === 'admin');
          return addressesOf(await storage.users.users(admins.map(({ userId }) => userId)));
        },
      });
    },
  };
}

async function operatorsOf({ users }: Pick<Storage, 'users'>): Promise<readonly string[]> {
  const all: User[] = [];
  for (let after: UserId | null = null; ; ) {
    const page: readonly User[] = await users.people({ search: '', operators: true, after, limit: PEOPLE_AT_ONCE });
    all.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PEOPLE_AT_ONCE) return addressesOf(all);
    after = last.id;
  }
}

function addressesOf(people: readonly User[]): readonly string[] {
  return people.filter(({ disabledAt }) => disabledAt === null).map(({ email }) => email);
}
