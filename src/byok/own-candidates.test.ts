/**
 * Goal: a call uses the credentials of its project and account in their order and by their policies, and the operator's only where they
 * allow it. Method: real entries over a sealer that seals nothing, a catalogue of three models, and the providers of the plan by name.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model, Target } from '../catalog/model.ts';
import { ManualClock } from '../core/clock.ts';
import { type AccountId, accountId, projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { configureProvider } from '../providers/configure.ts';
import { providerKinds } from '../providers/index.ts';
import { NOWHERE } from '../providers/outside.ts';
import type { Provider } from '../providers/provider.ts';
import { type Candidate, candidatesOf } from '../routing/candidate.ts';
import { OwnCandidates } from './own-candidates.ts';
import { OwnCredentialEntry } from './own-credential-entry.ts';
import type { OwnCredentialId, StoredOwnCredential } from './ports.ts';

const ACME = accountId(1);
const CALLER = { accountId: ACME, projectId: projectId(1) };
const OTHER_PROJECT = { accountId: ACME, projectId: projectId(2) };
const STRANGER = { accountId: accountId(2), projectId: projectId(3) };

const providers = new Map<string, Provider>(
  (['openai', 'anthropic', 'groq'] as const).map((kind) => [
    `our ${kind}`,
    configureProvider(providerKinds[kind], { name: `our ${kind}`, origin: null, credential: new Secret('operators') }),
  ]),
);
const gpt = model('openai/gpt', 'our openai', 'our groq');
const claude = model('anthropic/claude', 'our anthropic');

function model(id: string, ...names: readonly string[]): Model {
  return { id, targets: names.map((provider) => ({ provider, upstreamModel: id }) as Target) } as unknown as Model;
}

const sealer = {
  seal: (plain: Buffer) => plain,
  open(sealed: Uint8Array) {
    if (sealed.length === 0) throw new Error('lost');
    return Buffer.from(sealed);
  },
};

function stored(name: string, changes: Partial<StoredOwnCredential> = {}): StoredOwnCredential {
  return {
    id: name as OwnCredentialId,
    accountId: ACME,
    projectId: null,
    kind: 'openai',
    name,
    origin: null,
    options: {},
    models: null,
    use: 'first',
    fallback: true,
    enabled: true,
    position: 0,
    secret: Buffer.from(`secret of ${name}`.replaceAll(' ', '-')),
    hint: null,
    previous: null,
    previousUntil: null,
    createdAt: 0,
    createdBy: 'user:1',
    updatedAt: 0,
    standing: 'untested',
    standingAt: null,
    seq: 1,
    ...changes,
  };
}

function openBench(...rows: readonly StoredOwnCredential[]) {
  const clock = new ManualClock(1_000_000);
  const entries = rows.map((row) => new OwnCredentialEntry(row, { sealer, outside: NOWHERE }));
  const listeners: ((account: AccountId) => void)[] = [];
  const registry = {
    of: (account: AccountId) => entries.filter((entry) => entry.stored.accountId === account),
    onChange: (listener: (account: AccountId) => void) => void listeners.push(listener),
  };
  const own = new OwnCandidates({ registry, clock });
  return { clock, entries, own, changed: () => listeners.forEach((listener) => void listener(ACME)) };
}

/** `mine@our openai`, or the operator's as `our openai`. */
function names(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ own, target }) => (own === null ? target.provider : `${own.name}@${target.provider}`));
}

test('a caller without own credentials gets the same list', () => {
  const { own } = openBench(stored('mine'), stored('off', { accountId: STRANGER.accountId, enabled: false }));
  const plain = candidatesOf(gpt);
  assert.equal(own.arrange(plain, STRANGER, providers), plain);
  assert.equal(openBench().own.arrange(plain, CALLER, providers), plain);
});

test('own credentials come first, those of the project before those of the account', () => {
  const { own } = openBench(stored('of all'), stored('of the project', { projectId: projectId(1) }));
  assert.deepEqual(names(own.arrange(candidatesOf(gpt), CALLER, providers)), [
    'of the project@our openai',
    'of all@our openai',
    'our openai',
    'our groq',
  ]);
  assert.deepEqual(names(own.arrange(candidatesOf(gpt), OTHER_PROJECT, providers)), [
    'of all@our openai',
    'our openai',
    'our groq',
  ]);
});

test('the provider is called with the own secret', async () => {
  const { own } = openBench(stored('mine'));
  const [candidate] = own.arrange(candidatesOf(gpt), CALLER, providers);
  const service = candidate?.own?.service ?? assert.fail('none');
  const route =
    service.route('openai-chat', { operation: 'chat', model: 'gpt', stream: false }) ?? assert.fail('no route');
  const { headers } = await service.sign({ method: 'POST', route, headers: {}, body: null });
  assert.equal(headers['authorization'], 'Bearer secret-of-mine');
});

test('a policy holds for a model in either spelling of its version', () => {
  for (const models of [['openai/gpt-4.5'], ['openai/gpt-4-5'], ['openai/gpt-4.*']]) {
    const { own } = openBench(stored('mine', { use: 'only', fallback: false, models }));
    const of = (id: string) => names(own.arrange(candidatesOf(model(id, 'our openai')), CALLER, providers));
    assert.deepEqual(of('openai/gpt-4-5'), ['mine@our openai'], models.join());
    assert.deepEqual(of('openai/gpt-5'), ['our openai']);
  }
});

test('only: the operator serves none of the models it is for, and all others', () => {
  const { own } = openBench(stored('mine', { use: 'only', fallback: false }));
  assert.deepEqual(names(own.arrange([...candidatesOf(gpt), ...candidatesOf(claude)], CALLER, providers)), [
    'mine@our openai',
    'our anthropic',
  ]);
});

test('the strictest of several policies counts, and a limit of models limits the policy', () => {
  const strict = stored('strict', { use: 'only', fallback: false, models: ['openai/*'] });
  const { own } = openBench(stored('mine'), strict);
  assert.deepEqual(names(own.arrange(candidatesOf(gpt), CALLER, providers)), ['mine@our openai', 'strict@our openai']);
  const other = openBench(stored('mine'), { ...strict, models: ['openai/other', 'anthropic/*'] });
  assert.deepEqual(names(other.own.arrange(candidatesOf(gpt), CALLER, providers)), [
    'mine@our openai',
    'our openai',
    'our groq',
  ]);
});

test('only holds, whatever providers the request allows', () => {
  const { own } = openBench(stored('mine', { use: 'only', fallback: false }));
  const onlyGroq = candidatesOf(gpt).filter(({ target }) => target.provider === 'our groq');
  assert.throws(() => own.arrange(onlyGroq, CALLER, providers), { code: 'upstream_credential_rejected' });
});

test('a credential that cannot be opened does not lead to the operator unless that is allowed', () => {
  const lost = stored('lost', { secret: Buffer.alloc(0), fallback: false });
  assert.throws(() => openBench(lost).own.arrange(candidatesOf(gpt), CALLER, providers), /cannot be decrypted/);
  const allowed = openBench({ ...lost, fallback: true }).own.arrange(candidatesOf(gpt), CALLER, providers);
  assert.deepEqual(names(allowed), ['our openai', 'our groq']);
});

test('during the overlap of a rotation the old secret follows the new one', () => {
  const { own, clock } = openBench(stored('mine', { previous: Buffer.from('old-secret'), previousUntil: 1_000_100 }));
  const services = () => own.arrange(candidatesOf(gpt), CALLER, providers).flatMap((each) => each.own?.service ?? []);
  const [current, former] = services();
  assert.equal(services().length, 2);
  assert.notEqual(current, former);
  assert.deepEqual(services(), [current, former], 'the same objects: what is known of them belongs to them');
  clock.advance(100);
  assert.deepEqual(services(), [current]);
});

test('a provider without a credential of the operator’s is called with own ones only', () => {
  const alone = configureProvider(providerKinds.openai, {
    name: 'our openai',
    origin: null,
    credential: null,
    ownCredentialsOnly: true,
  });
  const others = new Map([...providers, ['our openai', alone]]);
  const { own } = openBench(stored('mine'));
  assert.deepEqual(names(own.arrange(candidatesOf(gpt), CALLER, others)), ['mine@our openai', 'our groq']);
  assert.deepEqual(names(own.arrange(candidatesOf(gpt), STRANGER, others)), ['our groq']);
  const openaiOnly = candidatesOf(gpt).slice(0, 1);
  assert.throws(() => own.arrange(openaiOnly, STRANGER, others), { code: 'model_not_allowed' });
  assert.throws(
    () =>
      configureProvider(providerKinds.openai, {
        name: 'x',
        origin: null,
        credential: new Secret('s'),
        ownCredentialsOnly: true,
      }),
    /keep one/,
  );
});

test('a change is seen by the next call', () => {
  const { own, entries, changed } = openBench(stored('mine'));
  assert.equal(own.arrange(candidatesOf(gpt), CALLER, providers).length, 3);
  entries.pop();
  changed();
  assert.equal(own.arrange(candidatesOf(gpt), CALLER, providers).length, 2);
});

test('what is only noted of a credential keeps its provider; a new secret does not', () => {
  const parts = { sealer, outside: NOWHERE };
  const before = new OwnCredentialEntry(stored('mine'), parts);
  const { service } = before;
  assert.equal(new OwnCredentialEntry(stored('mine', { standing: 'good', seq: 2 }), parts, before).service, service);
  const rotated = new OwnCredentialEntry(stored('mine', { secret: Buffer.from('new-secret') }), parts, before);
  assert.notEqual(rotated.service, service);
});

test('without leave to fall back, the operator serves only if the request rules out the own credential', () => {
  const { own } = openBench(stored('mine', { fallback: false }));
  assert.deepEqual(names(own.arrange([...candidatesOf(gpt), ...candidatesOf(claude)], CALLER, providers)), [
    'mine@our openai',
    'our anthropic',
  ]);
  const onlyGroq = candidatesOf(gpt).filter(({ target }) => target.provider === 'our groq');
  assert.deepEqual(names(own.arrange(onlyGroq, CALLER, providers)), ['our groq']);
});
