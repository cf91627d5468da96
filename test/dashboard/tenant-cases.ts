/**
 * For each route of the contract: a request that would succeed, and where in it an account's data is named. A
 * route that is missing here, and a request field that nobody has classified, fail the test that goes through them.
 */
import { generationId, newCallId } from '../../src/core/ids.ts';
import type { Things } from './two-accounts.ts';

export type Place = 'params' | 'query' | 'body';

/** A field that names data of an account. */
export interface Naming {
  readonly in: Place;
  readonly field: string;
  readonly names:
    | ('key' | 'credential' | 'project' | 'alias' | 'user')
    | ('invitation' | 'call' | 'batch' | 'session' | 'account' | 'actor');
  /** The result for a foreign one: not found, or a list without it. */
  readonly gives?: 'not_found' | 'same';
  /** As a number, where the field is JSON. */
  readonly asNumber?: boolean;
}

export interface Case {
  readonly naming: readonly Naming[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A stream, which does not end by itself. */
  readonly isStream?: true;
}

const USAGE = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
const noIds: Case = { naming: [] };
const key: Naming = { in: 'params', field: 'key', names: 'key' };
const project: Naming = { in: 'params', field: 'project', names: 'project' };
const credential: Naming = { in: 'params', field: 'credential', names: 'credential' };
const alias: Naming = { in: 'params', field: 'alias', names: 'alias' };
const user: Naming = { in: 'params', field: 'user', names: 'user' };
const call: Naming = { in: 'params', field: 'call', names: 'call' };
const filters: readonly Naming[] = [
  { in: 'query', field: 'key', names: 'key', gives: 'same', asNumber: true },
  { in: 'query', field: 'project', names: 'project', gives: 'same', asNumber: true },
];

/** By the contract's names. The account parameter (`?account=`) is tested on every route that takes it. */
export const cases: Readonly<Record<string, Case>> = {
  readSession: noIds,
  signIn: noIds,
  signInWithCode: noIds,
  signOut: noIds,
  readLink: noIds,
  setUp: noIds,
  signUp: noIds,
  confirmEmail: noIds,
  acceptInvitation: noIds,
  forgotPassword: noIds,
  resetPassword: noIds,

  readProfile: noIds,
  updateProfile: noIds,
  changePassword: noIds,
  startTotp: noIds,
  confirmTotp: noIds,
  removeTotp: noIds,
  renewRecoveryCodes: noIds,
  listSessions: noIds,
  endSession: { naming: [{ in: 'params', field: 'session', names: 'session' }] },
  endOtherSessions: noIds,

  readAccount: noIds,
  updateAccount: { naming: [], body: { name: 'Taken over' } },
  closeAccount: { naming: [], body: { name: 'Account of alder' } },
  listAccounts: noIds,
  listPeople: noIds,
  updatePerson: noIds,
  createAccount: noIds,
  limitAccount: { naming: [{ in: 'params', field: 'account', names: 'account' }], body: { name: 'Taken over' } },
  deleteCaptures: noIds,

  listMembers: noIds,
  updateMember: { naming: [user], body: { role: 'viewer' } },
  removeMember: { naming: [user] },
  readMemberMade: { naming: [user] },
  listInvitations: noIds,
  createInvitation: { naming: [], body: { role: 'viewer' } },
  deleteInvitation: { naming: [{ in: 'params', field: 'invitation', names: 'invitation' }] },

  listProjects: noIds,
  createProject: { naming: [], body: { name: 'Planted' } },
  readProject: { naming: [project] },
  updateProject: { naming: [project], body: { name: 'Taken over', archived: true } },

  listAliases: noIds,
  createAlias: {
    naming: [{ in: 'body', field: 'project', names: 'project' }],
    body: { name: 'planted', targets: [{ model: 'scripted/model' }] },
  },
  updateAlias: { naming: [alias], body: { choice: 'random' } },
  deleteAlias: { naming: [alias] },
  createInstallationAlias: noIds,
  updateInstallationAlias: { naming: [alias], body: { choice: 'random' } },
  deleteInstallationAlias: { naming: [alias] },

  listKeys: {
    naming: [
      { in: 'query', field: 'project', names: 'project', asNumber: true },
      { in: 'query', field: 'workspace_id', names: 'project', asNumber: true },
    ],
  },
  createKey: {
    naming: [
      { in: 'body', field: 'project', names: 'project' },
      { in: 'body', field: 'workspace_id', names: 'project' },
    ],
  },
  readKey: { naming: [key] },
  updateKey: { naming: [key], body: { name: 'Taken over', disabled: true } },
  revokeKey: { naming: [key] },
  readKeyMade: { naming: [key] },
  rotateKey: { naming: [key], body: {} },
  readKeyLimits: { naming: [key] },
  planRoute: { naming: [key], body: { model: 'scripted/model' } },

  readBalance: noIds,
  listMovements: noIds,
  listMonths: noIds,
  addEntry: { naming: [], body: { amount: '1', reference: 'planted' } },
  refundCall: { naming: [{ in: 'body', field: 'call', names: 'call' }], body: { reference: 'planted' } },

  readUsage: { naming: filters, query: USAGE },
  listUsageGroups: { naming: filters, query: { ...USAGE, group_by: 'key' } },
  readChecklist: noIds,

  listCalls: { naming: filters },
  followCalls: { naming: filters, isStream: true },
  listRefusals: { naming: [{ in: 'query', field: 'key', names: 'key', gives: 'same', asNumber: true }] },
  readCall: { naming: [call] },
  readBodies: { naming: [call] },
  deleteBodies: { naming: [call] },

  listAccountBatches: { naming: filters },
  readAccountBatch: { naming: [{ in: 'params', field: 'batch', names: 'batch' }] },
  cancelAccountBatch: { naming: [{ in: 'params', field: 'batch', names: 'batch' }] },

  listCatalog: noIds,
  listProviderKinds: noIds,
  listProviders: noIds,
  listModelPrices: noIds,
  importModelPrices: noIds,
  pinModelPrices: noIds,
  createProvider: noIds,
  updateProvider: noIds,
  deleteProvider: noIds,
  addProviderCredential: noIds,
  removeProviderCredential: noIds,
  testProvider: noIds,
  tryProvider: noIds,
  listOwnProviders: noIds,
  listOwnCredentials: { naming: [{ in: 'query', field: 'workspace_id', names: 'project', asNumber: true }] },
  createOwnCredential: {
    naming: [
      { in: 'body', field: 'project', names: 'project' },
      { in: 'body', field: 'workspace_id', names: 'project' },
    ],
    body: { provider: 'openai', key: 'sk-planted-0123456789' },
  },
  readOwnCredential: { naming: [credential] },
  updateOwnCredential: { naming: [credential], body: { name: 'Taken over', disabled: true } },
  rotateOwnCredential: { naming: [credential], body: { key: 'sk-planted-0123456789' } },
  testOwnCredential: { naming: [credential] },
  deleteOwnCredential: { naming: [credential] },
  readProviderHealth: noIds,
  readLoad: noIds,
  listNodes: noIds,
  listFailingModels: noIds,

  listAudit: { naming: [{ in: 'query', field: 'actor', names: 'actor', gives: 'same' }] },
};

/**
 * Request fields that name no data of an account, each classified by whoever added it. Tokens of links are secrets
 * themselves, cursors only say where to continue, and providers belong to the installation.
 */
export const NAMES_NOTHING: ReadonlySet<string> = new Set(
  `account token email name password code current_password new_password capture role limits permissions archived
  include_archived search include_disabled include_revoked offset cursor limit kind expires_at limit_reset
  include_byok_in_limit creator_user_id disabled now grace_ms from to format amount reference note interval group_by
  model provider groups status ending streamed min_charge min_duration_ms origin credential dialects is_enabled
  use fallback own_credentials_only allowed_models base_url google_project is_required is_fallback is_byok_only allowed_api_key_hashes
  allowed_user_ids declared_zdr overlap_ms body.key rates cache_seconds origins region body.project location api_version body.account_id cloudflare_account credential_from model_settings action everywhere with_made operators operator person month time_zone sort query.user app metadata
  choice targets prices source dry_run allow_suspicious upstream_model version pinned built_in
  models conversation prompt_characters output_cap`.split(/\s+/),
);

/** Data of an account that can be named there, in every way to name it. */
export function namesOf(things: Things, { in: place, names, asNumber }: Naming): readonly string[] {
  switch (names) {
    case 'key': {
      const keys = [things.keys.active, things.keys.revoked, things.keys.management];
      return keys.flatMap(({ id, hash }) => (asNumber === true ? [String(id)] : [String(id), hash]));
    }
    case 'credential':
      return [things.credential];
    case 'project':
      return asNumber === true ? [String(things.project.id)] : [String(things.project.id), things.project.name];
    case 'alias':
      return things.aliases.map(String);
    case 'user':
    case 'actor':
      return [String(things.people.owner.id), String(things.people.viewer.id)];
    case 'invitation':
      return [String(things.invitation.id)];
    case 'call':
      return place === 'body' ? [things.call] : [things.call, things.call.slice('gen-'.length)];
    case 'batch':
      return [things.batch];
    case 'session':
      return [String(things.session)];
    case 'account':
      return [String(things.id), `Account of ${things.mark}`];
  }
}

const ABSENT_HASH = 'ab'.repeat(32);
const ABSENT_CALL = generationId(newCallId(Date.UTC(2026, 0, 1)));

/** The same kind of name, for something that does not exist. */
export function absentLike(name: string): string {
  if (/^\d+$/.test(name)) return '987654321';
  if (/^[0-9a-f]{64}$/.test(name)) return ABSENT_HASH;
  if (/^[0-9a-f-]{36}$/.test(name)) return '12345678-1234-4123-8123-123456789012';
  if (name.startsWith('gen-')) return ABSENT_CALL;
  if (name.startsWith('batch_')) return ABSENT_CALL.replace('gen-', 'batch_');
  if (/^[0-7][0-9a-z]{25}$/.test(name)) return ABSENT_CALL.slice('gen-'.length);
  return 'No such thing';
}
