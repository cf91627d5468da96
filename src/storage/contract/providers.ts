/** The contract of every storage for providers and their sealed credentials. */
import assert from 'node:assert/strict';
import type { StoredProvider } from '../../catalog/ports.ts';
import type { Promising } from './storage-under-test.ts';

const FULL: StoredProvider = {
  name: 'mine',
  kind: 'custom',
  origin: 'http://10.0.0.5:8000/base',
  options: { region: 'eu-west-1', credentialFrom: 'instance' },
  dialects: ['anthropic-messages', 'openai-chat'],
  models: [
    {
      upstream: 'large',
      id: 'lab/large',
      name: 'Large "one"',
      contextWindow: 1000,
      outputCap: null,
      price: { input: '0.000001', output: '9999999.999999', cacheRead: '0.1', cacheWrite: null },
    },
    { upstream: 'small', id: null, name: null, contextWindow: null, outputCap: 5, price: 'free' },
  ],
  enabled: false,
  credential: Buffer.from([1, 2, 3, 0, 255]),
  credentialHint: 'last',
  moreCredentials: Buffer.from([9, 0, 255]),
  ownCredentialsOnly: false,
  createdAt: 1000,
  updatedAt: 1001,
  seq: 0,
};
const BARE: StoredProvider = {
  ...FULL,
  name: 'openai',
  kind: 'openai',
  origin: null,
  dialects: null,
  models: [],
  enabled: true,
  credential: null,
  credentialHint: null,
  moreCredentials: null,
  ownCredentialsOnly: true,
  createdAt: 999,
};

export function providerPromises(promise: Promising): void {
  promise('providers are read as they were written, oldest first, even after reopening', async (subject) => {
    for (const each of [FULL, BARE]) assert.notEqual(await subject.storage.providers.create(each), null);
    const reopened = await subject.reopen();
    assert.deepEqual((await reopened.storage.providers.list()).map(plain), [BARE, FULL].map(plain));
    return reopened;
  });

  promise('a second provider of the same name is not created', async (subject) => {
    const { providers } = subject.storage;
    const made = await Promise.all([providers.create(FULL), providers.create({ ...FULL, kind: 'ollama' })]);
    assert.deepEqual(
      made.map((seq) => seq !== null),
      [true, false],
    );
    assert.deepEqual((await providers.list()).map(plain), [plain(FULL)]);
  });

  promise('a change of a provider affects the given fields only', async (subject) => {
    const { providers } = subject.storage;
    await providers.create(FULL);
    for (const changes of [
      { enabled: true, updatedAt: 2000 },
      { models: [] },
      { credential: null, credentialHint: null, origin: null },
      { moreCredentials: null },
    ])
      assert.equal(await providers.update('mine', changes), await subject.storage.feed.last());
    assert.deepEqual((await providers.list()).map(plain), [
      plain({
        ...BARE,
        ...FULL,
        origin: null,
        enabled: true,
        models: [],
        credential: null,
        credentialHint: null,
        moreCredentials: null,
        updatedAt: 2000,
      }),
    ]);
    assert.equal(await providers.update('nobody', { enabled: true }), null);
  });

  promise('a provider can be deleted once', async (subject) => {
    const { providers } = subject.storage;
    await providers.create(FULL);
    assert.deepEqual([await providers.delete('mine'), await providers.delete('mine')], [2, null]);
    assert.deepEqual(await providers.list(), []);
  });

  promise('a sealed credential is replaced only if it is unchanged', async (subject) => {
    const { providers, sealed } = subject.storage;
    for (const each of [FULL, BARE]) await providers.create(each);
    const [row, more, ...others] = await sealed.sealed();
    assert.deepEqual([row?.about, more?.about, others], ['provider:mine', 'provider-credentials:mine', []]);
    const [before, after] = [Buffer.from(row?.sealed ?? []), Buffer.from('resealed')];
    assert.equal(await sealed.replaceSealed('provider:mine', Buffer.from('else'), after), false);
    assert.equal(await sealed.replaceSealed('provider:mine', before, after), true);
    assert.equal(await sealed.replaceSealed('provider:mine', before, Buffer.from('late')), false);
    const moreBefore = Buffer.from(more?.sealed ?? []);
    assert.equal(await sealed.replaceSealed('provider-credentials:mine', Buffer.from('else'), after), false);
    assert.equal(await sealed.replaceSealed('provider-credentials:mine', moreBefore, Buffer.from('more')), true);
    await providers.update('mine', { enabled: true });
    assert.deepEqual(
      (await sealed.sealed()).map((each) => Buffer.from(each.sealed).toString()),
      ['resealed', 'more'],
    );
    assert.deepEqual(await sealed.expiringHeads(), []);
  });
}

/** Converts bytes to text: databases return different array types. */
function plain({ credential, moreCredentials, seq: _seq, ...provider }: StoredProvider) {
  const hex = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');
  return { ...provider, credential: hex(credential), moreCredentials: hex(moreCredentials) };
}
