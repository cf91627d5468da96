/** Doors with stand-in handlers, for tests: by default every route of the contract records its request and returns its name. */
import fastify, { type FastifyInstance } from 'fastify';
import type { Key } from '../../../accounts/keys.ts';
import { type Account, NO_CAPTURE } from '../../../accounts/ports.ts';
import type { Body } from '../../../core/body.ts';
import { ManualClock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { accountId, keyId, projectId } from '../../../core/ids.ts';
import type { Creation, CreationStore } from '../../../members/creation-ports.ts';
import type { Membership, NewAuditEntry, Role, Session, SessionId, User, UserId } from '../../../members/ports.ts';
import type { Door } from '../../contract/route.ts';
import { contractRoutes } from '../../contract/schemas.ts';
import type { ManagementHandlers } from '../index.ts';
import type { Context } from './handler.ts';
import { Creations } from './idempotent.ts';
import { mountManagement } from './mount.ts';
import { OwnAddress, type Scheme } from './own-address.ts';
import type { Management } from './parts.ts';

export interface AskedHandler {
  readonly name: string;
  readonly context: Context;
  readonly input: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
}

export type FakeHandler = (asked: AskedHandler) => unknown;

export interface Doors {
  readonly server: FastifyInstance;
  readonly management: Management;
  readonly clock: ManualClock;
  /** Every call of a handler, in order. */
  readonly asked: AskedHandler[];
  readonly audited: NewAuditEntry[];
  readonly errors: GatewayError[];
  /** By token. */
  readonly sessions: Map<string, { user: User; session: Session }>;
  readonly memberships: Membership[];
  readonly accounts: Account[];
  readonly creations: MemoryCreations;
}

export interface DoorsOptions {
  readonly doors?: readonly Door[];
  readonly publicUrl?: string | null;
  /** The scheme of requests, as from a trusted proxy. */
  readonly scheme?: Scheme;
  /** By the names of the contract. */
  readonly handlers?: Readonly<Record<string, FakeHandler>>;
}

/** Tokens of sessions; `sessionToken('owner')`. */
export function sessionToken(name: string): string {
  return `token-of-${name}`.padEnd(43, '0');
}

export const MANAGEMENT_KEY = 'sk-management';
export const INFERENCE_KEY = 'sk-inference';
export const FAR_KEY = 'sk-far';

/**
 * Accounts 1 and 2, and 3, which is closed. Account 1 has an owner, an admin, a developer and a viewer; `other` owns 2; `operator` is in
 * none.
 */
export function openDoors(options: DoorsOptions = {}): Doors {
  const clock = new ManualClock();
  const asked: AskedHandler[] = [];
  const audited: NewAuditEntry[] = [];
  const errors: GatewayError[] = [];
  const accounts = [account(1), account(2), { ...account(3), closedAt: 5 }];
  const sessions = new Map<string, { user: User; session: Session }>();
  const memberships: Membership[] = [];
  const join = (name: string, id: number, inAccount: number | null, role: Role | null, isOperator = false) => {
    sessions.set(sessionToken(name), { user: user(id, name, isOperator), session: session(id) });
    if (inAccount !== null && role !== null)
      memberships.push({ accountId: accountId(inAccount), userId: id as UserId, role, joinedAt: id });
  };
  for (const [index, role] of (['owner', 'admin', 'developer', 'viewer'] as const).entries())
    join(role, index + 1, 1, role);
  join('other', 5, 2, 'owner');
  join('operator', 6, null, null, true);
  join('leaver', 7, 3, 'owner');
  join('lonely', 8, null, null);
  const creations = new MemoryCreations();
  const fake = (name: string) => (context: Context, input: AskedHandler['input']) => {
    const call = { name, context, input };
    asked.push(call);
    return options.handlers?.[name]?.(call) ?? { data: { name } };
  };
  const handlers: Record<string, Record<string, unknown>> = {};
  for (const { noun, name } of contractRoutes) {
    handlers[noun] ??= {};
    handlers[noun][name] = fake(name);
  }
  const management: Management = {
    clock,
    handlers: handlers as unknown as ManagementHandlers,
    sessions: { sessionOf: async (token) => sessions.get(token) ?? null },
    memberships: { membershipsOf: async (id) => memberships.filter(({ userId }) => userId === id) },
    accounts: { accounts: () => accounts, findAccount: (id) => accounts.find((each) => each.id === id) },
    transactions: { run: (work) => work(), isOpen: true, afterCommit: (effect) => effect() },
    auditLog: { append: async (entry) => void audited.push(entry) },
    creations: new Creations({ store: creations, sealer: plainSealer, clock, onTrouble: () => undefined }),
    address: new OwnAddress(options.publicUrl ?? null, () => options.scheme ?? 'http'),
    edge: {
      keys: {
        identify: ({ headers }) => {
          const secret = headers.authorization?.slice('Bearer '.length);
          if (secret === MANAGEMENT_KEY || secret === FAR_KEY) return key('management', secret);
          if (secret === INFERENCE_KEY) return key('inference', secret);
          throw new GatewayError('invalid_api_key');
        },
        checkStillGood: async (key) => key,
        checkAddress: ({ name }) => {
          if (name === FAR_KEY) throw new GatewayError('permission_denied', { message: 'not from this address' });
        },
      },
      checkHead: () => undefined,
      clientAddress: () => '203.0.113.7',
      writeOpenRouterError: ({ status, message, code }, id) =>
        JSON.stringify({ error: { code: status, message, metadata: { error_type: code, request_id: id } } }),
      noteError: (error) => void errors.push(error),
    },
    isStorageTrouble: (error) => error instanceof Error && error.message === DISK_TROUBLE,
  };
  const server = fastify({ forceCloseConnections: true, return503OnClosing: false });
  for (const door of options.doors ?? (['dashboard', 'management', 'control'] as const))
    mountManagement(server, door, management);
  return { server, management, clock, asked, audited, errors, sessions, memberships, accounts, creations };
}

/** The message of a storage error. */
export const DISK_TROUBLE = 'the disk is full';

/** Does not encrypt, but opens a value only under the name it was sealed with. */
const plainSealer = {
  seal: (plain: Buffer, about: string) => Buffer.from(`${about}\n${plain}`),
  open(sealed: Uint8Array, about: string) {
    const text = Buffer.from(sealed).toString();
    if (!text.startsWith(`${about}\n`)) throw new Error('sealed under another name');
    return Buffer.from(text.slice(about.length + 1));
  },
  async sealInTurns(plain: Body, about: string) {
    return plainSealer.seal(Buffer.isBuffer(plain) ? plain : Buffer.concat(plain), about);
  },
  async openStored(sealed: Uint8Array, about: string) {
    return plainSealer.open(sealed, about);
  },
};

export class MemoryCreations implements CreationStore {
  readonly rows = new Map<string, Creation>();
  isBroken = false;

  async begin(claim: Omit<Creation, 'answer'>, abandonedBefore: number): Promise<Creation | null> {
    const found = this.rows.get(nameOf(claim));
    if (found !== undefined && found.expiresAt > claim.createdAt) {
      const isSame = Buffer.from(found.bodyDigest).equals(claim.bodyDigest);
      if (!isSame || found.answer !== null || found.createdAt >= abandonedBefore) return found;
    }
    this.rows.set(nameOf(claim), { ...claim, answer: null });
    return null;
  }

  async finish(claim: Pick<Creation, 'keyDigest' | 'createdAt'>, answer: NonNullable<Creation['answer']>) {
    if (this.isBroken) throw new Error('the disk is full');
    const row = this.rows.get(nameOf(claim));
    if (row?.createdAt === claim.createdAt) this.rows.set(nameOf(claim), { ...row, answer });
  }

  async abandon(claim: Pick<Creation, 'keyDigest' | 'createdAt'>) {
    this.rows.delete(nameOf(claim));
  }
}

function nameOf({ keyDigest }: Pick<Creation, 'keyDigest'>): string {
  return Buffer.from(keyDigest).toString('hex');
}

function account(id: number): Account {
  return {
    id: accountId(id),
    name: `Account ${id}`,
    createdAt: id,
    closedAt: null,
    capture: NO_CAPTURE,
    limits: {},
    permissions: {},
    rates: {},
    seq: 0,
  };
}

function user(id: number, name: string, isOperator: boolean): User {
  return {
    id: id as UserId,
    email: `${name}@example.com`,
    name,
    passwordHash: null,
    isOperator,
    totpSecret: null,
    totpConfirmedAt: null,
    totpLastStep: null,
    recoveryCodes: [],
    createdAt: 0,
    emailConfirmedAt: 0,
    disabledAt: null,
  };
}

function session(id: number): Session {
  return {
    id: id as SessionId,
    userId: id as UserId,
    state: 'full',
    createdAt: 0,
    lastSeenAt: 0,
    expiresAt: 1e15,
    ip: null,
    userAgent: null,
  };
}

function key(kind: Key['kind'], name: string): Key {
  return {
    id: keyId(9),
    rootId: keyId(9),
    projectId: projectId(1),
    accountId: accountId(1),
    name,
    label: 'sk-…',
    kind,
    digest: Buffer.alloc(32),
    pepperId: 'p',
    disabled: false,
    createdAt: 0,
    createdBy: null,
    expiresAt: null,
    revokedAt: null,
    retiringAt: null,
    updatedAt: null,
    limits: {},
    permissions: {},
    seq: 0,
  };
}
