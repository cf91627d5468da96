/** The ways into the dashboard over a real database, with browsers that keep their cookie. */
import { argon2Sync, createCipheriv, createDecipheriv } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { KeyMirror } from '../../src/accounts/key-mirror.ts';
import { openMirror } from '../../src/accounts/open-mirror.ts';
import { ScopeRegistry } from '../../src/accounts/scope-registry.ts';
import { Pepper } from '../../src/accounts/secret/pepper.ts';
import { profileRoutes } from '../../src/api/contract/profile.ts';
import type { Declared } from '../../src/api/contract/route.ts';
import { signInRoutes } from '../../src/api/contract/sign-in.ts';
import type { Actor, Handler } from '../../src/api/management/door/handler.ts';
import { RequestContext } from '../../src/api/management/door/request-context.ts';
import { profileHandlers } from '../../src/api/management/people/profile.ts';
import { signInHandlers } from '../../src/api/management/people/sign-in.ts';
import { parseInput } from '../../src/api/parse-input.ts';
import type { KeyId } from '../../src/core/ids.ts';
import type { Sealer } from '../../src/core/sealing/sealer.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Mail, Mailer } from '../../src/members/mails.ts';
import { type PasswordCost, Passwords } from '../../src/members/password.ts';
import type { NewAuditEntry } from '../../src/members/ports.ts';
import { SignInServices } from '../../src/members/sign-in-services.ts';
import type { SignUpRule } from '../../src/members/sign-up.ts';
import { SqlMembershipStore } from '../../src/storage/sql/memberships.ts';
import { SqlUserStore } from '../../src/storage/sql/users.ts';
import { accountsOf, openKyselyUnderTest } from '../../src/storage/sqlite/engine/kysely-under-test.ts';

const routes = { ...signInRoutes, ...profileRoutes };
type RouteName = keyof typeof routes;

export interface SignInSettings {
  readonly signUp?: SignUpRule;
  readonly isMailing?: boolean;
  readonly cost?: PasswordCost;
  /** What each hash waits for. */
  readonly hold?: () => Promise<void>;
}

export const ADA = { email: 'ada@example.com', name: 'Ada', password: 'a horse in the rain' } as const;
const PUBLIC_URL = 'https://gateway.test';
const CHEAP: PasswordCost = { memoryKib: 8, passes: 1, lanes: 1 };

export type SignInUnderTest = Awaited<ReturnType<typeof openSignInServices>>;

/** There is an account `Default` with a project, and no person yet. */
export async function openSignInServices(context: TestContext, settings: SignInSettings = {}) {
  const under = await openKyselyUnderTest();
  const { kysely, transactions, feed, database, clock, dispose } = under;
  context.after(dispose);
  const store = accountsOf(under);
  const users = new SqlUserStore(kysely);
  const memberships = new SqlMembershipStore(kysely);
  const mirror: KeyMirror = await openMirror({ store, feed }, new Pepper(new Secret('5a'.repeat(32))), clock.now());
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const account = await scopes.createAccount({ name: 'Default' });
  await scopes.createProject({ accountId: account.id, name: 'Default' });

  const mails: Mail[] = [];
  const problems: string[] = [];
  const audited: NewAuditEntry[] = [];
  const hashes = { count: 0 };
  /** Management keys that are valid. */
  const goodKeys = new Set<KeyId>();
  const rule = settings.signUp ?? 'open';
  const mailer: Mailer = { send: async (mail) => void mails.push(mail) };
  const open = (cost: PasswordCost) =>
    new SignInServices({
      users,
      transactions,
      memberships,
      scopes,
      keys: {
        mayInvite: (id) => goodKeys.has(id),
        mayStillInvite: async (id) => goodKeys.has(id),
        nameOf: () => null,
      },
      seal,
      mailer: settings.isMailing === false ? null : mailer,
      clock,
      publicUrl: () => PUBLIC_URL,
      signUpRule: rule,
      onProblem: (message) => void problems.push(message),
      passwords: new Passwords(cost, async (parameters) => {
        hashes.count += 1;
        await settings.hold?.();
        return argon2Sync('argon2id', parameters);
      }),
    });
  const signInServices = open(settings.cost ?? CHEAP);
  const handlers: Record<RouteName, unknown> = {
    ...signInHandlers({
      signInServices,
      users,
      memberships,
      scopes,
      installation: {
        version: '1.2.3',
        signUp: rule,
        publicModels: false,
        mail: settings.isMailing !== false,
        billingMode: 'prepaid',
        baseUrl: () => PUBLIC_URL,
      },
    }),
    ...profileHandlers({ signInServices, users }),
  };

  const append = async (entry: NewAuditEntry) => void audited.push(entry);
  const audit = async (change: Omit<NewAuditEntry, 'at' | 'actor' | 'ip' | 'requestId'>) =>
    append({
      ...change,
      at: clock.now(),
      actor: { kind: 'system', id: null, name: 'start' },
      ip: null,
      requestId: null,
    });

  class Browser {
    readonly ip: string;
    /** Whether sessions are possible. */
    readonly isSecure: boolean;
    cookie: string | null = null;
    /** The cookie that identifies it. */
    device: string | null = null;

    constructor(ip: string, isSecure: boolean) {
      this.ip = ip;
      this.isSecure = isSecure;
    }

    /** The answer as it would be on the wire; throws what the handler throws. */
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever JSON a test looks at.
    async ask(name: RouteName, body: unknown = {}, params: Readonly<Record<string, string>> = {}): Promise<any> {
      const route: Declared = routes[name];
      const found = this.cookie === null ? null : await signInServices.sessions.sessionOf(this.cookie);
      const actor: Actor = found !== null && found.session.state === 'full' ? { kind: 'user', ...found } : NOBODY;
      if (route.needs === 'user' && actor.kind !== 'user') throw new Error('not signed in');
      const facts = {
        ip: this.ip,
        userAgent: 'a browser',
        requestId: 'req_1',
        sessionToken: this.cookie,
        deviceToken: this.device,
      };
      const setCookie = (token: string | null) => {
        this.cookie = token;
      };
      const setDevice = (token: string) => {
        this.device = token;
      };
      const gone = new AbortController().signal;
      const requestContext = new RequestContext(
        { ...facts, actor, standing: null, gone },
        {
          clock,
          auditLog: { append },
          transactions,
          setCookie: this.isSecure ? setCookie : null,
          setDevice,
          checkStill: async () => undefined,
        },
      );
      const input = { params: parseInput(route.params, params), query: {}, body: parseInput(route.body, body) };
      const answer = await (handlers[name] as Handler<Declared>)(requestContext, input as never);
      return (parseInput(route.answer, JSON.parse(JSON.stringify(answer))) as { data: unknown }).data;
    }

    /** `signed_in`, `totp_required`, or the code of the error. */
    async signIn(email: string = ADA.email, password: string = ADA.password): Promise<string> {
      return outcome(this.ask('signIn', { email, password }));
    }

    async isSignedIn(): Promise<boolean> {
      return (await this.ask('readSession')).user !== null;
    }
  }

  const browser = (ip = '10.0.0.1', isSecure = true) => new Browser(ip, isSecure);

  return {
    clock,
    database,
    users,
    memberships,
    scopes,
    account,
    signInServices,
    mails,
    mailer,
    problems,
    audited,
    hashes,
    goodKeys,
    audit,
    browser,
    /** Ada is the operator, in a separate browser. */
    async setUp(): Promise<Browser> {
      const ada = browser();
      await ada.ask('setUp', { token: tokenOf(await signInServices.setUp.link()), ...ADA });
      return ada;
    },
    /** The actions of the audit log since the last time this was asked, each with who did it. */
    async newlyAudited(): Promise<string[]> {
      await signInServices.background.settled();
      return audited.splice(0).map(({ action, actor }) => `${action} ${actor.name}`);
    },
    /** The mails since the last time this was asked. */
    async newMails(): Promise<Mail[]> {
      await signInServices.background.settled();
      return mails.splice(0);
    },
  };
}

/** From a link, or from the text of a mail. */
export function tokenOf(text: string | null | undefined): string {
  return /#token=([\w-]{43})$/m.exec(text ?? '')?.[1] ?? '';
}

/** The status of an answer, or the code of its error. */
export async function outcome(answer: Promise<{ status?: string; done?: boolean }>): Promise<string> {
  try {
    const { status, done } = await answer;
    return status ?? (done === true ? 'done' : 'answered');
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const NOBODY: Actor = { kind: 'nobody' };
const KEY = Buffer.alloc(32, 7);

/** AES-256-GCM bound to its place, as the key ring seals. */
const seal: Sealer = {
  seal(plain, about) {
    const nonce = Buffer.alloc(12, 1);
    const cipher = createCipheriv('aes-256-gcm', KEY, nonce).setAAD(Buffer.from(about));
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  },
  open(sealed, about) {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', KEY, Buffer.alloc(12, 1)).setAAD(Buffer.from(about));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
  },
};
