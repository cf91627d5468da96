/** Goal: settings become a provider that can be called, or a sentence an operator can act on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../core/secret.ts';
import { configureProvider, ProviderConfigurationError, type ProviderSettings } from './configure.ts';
import { providerKinds } from './index.ts';
import { signCall, signList } from './provider-fixture.ts';

const credential = new Secret('k-1');

function custom(settings: Partial<ProviderSettings>) {
  return configureProvider(providerKinds.custom, {
    name: 'lab',
    origin: 'http://127.0.0.1:8000',
    credential,
    ...settings,
  });
}

test('a custom provider speaks openai-chat by default', () => {
  assert.deepEqual(custom({}).dialects, ['openai-chat']);
  assert.equal(custom({}).kind, 'custom');
  assert.equal(custom({}).displayName, 'lab');
});

test('each of several credentials signs by its number, and only its own text counts as repeated', () => {
  const [first, second] = ['first-credential-1111', 'second-credential-2222'];
  const provider = custom({ credential: new Secret(first), credentials: [new Secret(second)] });
  assert.deepEqual([provider.credentialCount, provider.credentialHints], [2, ['1111', '2222']]);
  const route = provider.route('openai-chat', { operation: 'chat', model: 'm', stream: false });
  assert.ok(route !== null);
  const signed = [0, 1].map((credential) =>
    provider.sign({ method: 'POST', route, headers: {}, body: null }, credential),
  );
  for (const [index, each] of signed.entries()) {
    assert.ok(!(each instanceof Promise));
    assert.equal(each.headers['authorization'], `Bearer ${[first, second][index]}`);
    assert.deepEqual([each.secrets(`no: ${first}`), each.secrets(`no: ${second}`)], [index === 0, index === 1]);
  }
  assert.equal(custom({ credential: null }).credentialCount, 0);
  assert.equal(custom({ credential: null, credentials: [new Secret(second)] }).credentialCount, 1);
  assert.throws(
    () => custom({ credential: new Secret(first), credentials: [new Secret(first)] }),
    /a credential twice/,
  );
  assert.ok(
    ![inspect(provider), JSON.stringify(provider)].some((text) => text.includes(first) || text.includes(second)),
  );
});

test('what an operator states of a service is kept, what it does not state is unknown, and a contradiction is refused', () => {
  const unknown = { collectsData: null, retainsData: null, quantization: null };
  for (const [stated, facts] of [
    [{}, unknown],
    [{ dataCollection: 'deny' }, { ...unknown, collectsData: false }],
    [{ dataCollection: 'allow' }, { ...unknown, collectsData: true }],
    [{ zeroDataRetention: true }, { ...unknown, collectsData: false, retainsData: false }],
    [{ zeroDataRetention: false }, { ...unknown, retainsData: true }],
    [{ quantization: 'fp8' }, { ...unknown, quantization: 'fp8' }],
  ] as const)
    assert.deepEqual(custom(stated).facts, facts);
  assert.throws(
    () => custom({ dataCollection: 'allow', zeroDataRetention: true }),
    /The provider lab has both .* keep one/,
  );
});

test('configured dialects keep their order, at the usual paths', () => {
  const provider = custom({ dialects: ['anthropic-messages', 'openai-chat'] });
  assert.deepEqual(provider.dialects, ['anthropic-messages', 'openai-chat']);
  const signed = signCall(provider, 'anthropic-messages');
  assert.deepEqual([signed.target, signed.headers], ['/v1/messages', { 'x-api-key': 'k-1' }]);
  assert.equal(signCall(provider, 'openai-chat').target, '/v1/chat/completions');
});

test('configured paths determine the dialects if nothing else does', () => {
  const provider = custom({ chatPaths: { 'anthropic-messages': '/llm/messages', 'openai-chat': undefined } });
  assert.deepEqual(provider.dialects, ['anthropic-messages']);
  assert.equal(signCall(provider, 'anthropic-messages').target, '/llm/messages');
});

test('a base path is prepended to every path, and an overlap is not repeated', () => {
  assert.equal(
    signCall(custom({ origin: 'http://127.0.0.1:8000/proxy/' }), 'openai-chat').target,
    '/proxy/v1/chat/completions',
  );
  assert.equal(signCall(custom({ origin: 'http://127.0.0.1:8000/v1' }), 'openai-chat').target, '/v1/chat/completions');
  assert.equal(signList(custom({ origin: 'http://127.0.0.1:8000/v1' }))?.target, '/v1/models');
  assert.equal(custom({ origin: 'http://127.0.0.1:8000/v1' }).origin, 'http://127.0.0.1:8000');
});

test('a caller’s anthropic-version wins over the one sent by default', () => {
  const provider = configureProvider(providerKinds.anthropic, { name: 'anthropic', origin: null, credential });
  assert.equal(signCall(provider, 'anthropic-messages').headers['anthropic-version'], '2023-06-01');
  const passed = signCall(provider, 'anthropic-messages', { 'anthropic-version': '2026-10-21' });
  assert.equal(passed.headers['anthropic-version'], '2026-10-21');
});

test('an unknown server gets requests in the most widely understood form', () => {
  assert.deepEqual(custom({}).quirksOf('openai-chat'), {
    outputCapFields: ['max_tokens'],
    outputCapDocumentation: 'docs/how-to/custom-provider.md',
    reasoningField: 'reasoning_effort',
    reasoningBack: 'none',
    openRouterFields: ['include_reasoning', 'metadata'],
    reasoningDetails: true,
    cacheControl: false,
    customTools: false,
    systemRole: 'system',
    leastSeconds: 0,
  });
  assert.deepEqual(custom({}).sampling, ['temperature']);
});

test('a kind’s own quirks apply at another address too', () => {
  const quirks = configureProvider(providerKinds.openai, {
    name: 'eu',
    origin: 'https://eu.example.com',
    credential,
  }).quirksOf('openai-chat');
  assert.deepEqual([quirks.outputCapFields[0], quirks.systemRole], ['max_completion_tokens', 'developer']);
  assert.equal(quirks.reasoningField, 'reasoning_effort');
});

test('without a credential, a custom server is called unsigned and a vendor is not called', () => {
  assert.deepEqual(signCall(custom({ credential: null }), 'openai-chat').headers, {});
  assert.throws(
    () => configureProvider(providerKinds.openai, { name: 'openai', origin: null, credential: null }),
    new ProviderConfigurationError('The provider openai needs a credential.'),
  );
});

test('a custom provider is free by default only at a private address', () => {
  assert.equal(custom({ origin: 'http://10.1.2.3:8000' }).freeByDefault, true);
  assert.equal(custom({ origin: 'https://llm.example.com' }).freeByDefault, false);
  assert.equal(custom({ origin: 'https://llm.example.com', price: 'free' }).freeByDefault, true);
});

for (const [mistake, settings] of [
  ['no origin', { origin: null }],
  ['another scheme', { origin: 'ftp://127.0.0.1' }],
  ['no address', { origin: 'somewhere' }],
  ['a password in the address', { origin: 'http://user:hunter2@127.0.0.1' }],
  ['a query in the address', { origin: 'http://127.0.0.1/?key=hunter2' }],
  ['an empty query in the address', { origin: 'http://127.0.0.1/?' }],
  ['no dialect', { dialects: [] }],
  ['a path with a line break', { chatPaths: { 'openai-chat': '/v1\r\nx: y' } }],
  ['a credential with a line break', { credential: new Secret('hunter2\r\nx: y') }],
  ['an empty credential', { credential: new Secret('') }],
] satisfies [string, Partial<ProviderSettings>][]) {
  test(`${mistake} is refused with the provider’s name and without a secret`, () => {
    assert.throws(
      () => custom(settings),
      (error) => {
        assert.ok(error instanceof ProviderConfigurationError);
        assert.match(error.message, /^The provider lab .+\.$/);
        assert.ok(!inspect(error).includes('hunter2'), inspect(error));
        return true;
      },
    );
  });
}

test('the address of a call determines both its path and that of the list of models', () => {
  for (const [origin, dialects, chat, models] of [
    ['http://h', ['openai-chat'], '/v1/chat/completions', '/v1/models'],
    ['http://h/v1', ['openai-chat'], '/v1/chat/completions', '/v1/models'],
    ['http://h/v1/', ['openai-chat'], '/v1/chat/completions', '/v1/models'],
    ['http://h/v1/chat/completions', ['openai-chat'], '/v1/chat/completions', '/v1/models'],
    ['http://h/v1/chat/completions/', ['openai-chat'], '/v1/chat/completions', '/v1/models'],
    ['http://h/chat/completions', ['openai-chat'], '/chat/completions', '/models'],
    ['http://h/api/paas/v4/chat/completions', ['openai-chat'], '/api/paas/v4/chat/completions', '/api/paas/v4/models'],
    ['http://h/v1/messages', ['anthropic-messages'], '/v1/messages', '/v1/models'],
    ['http://h/llm/messages', ['anthropic-messages'], '/llm/messages', '/llm/models'],
    ['http://h/v1/models', ['openai-chat'], '/v1/chat/completions', '/v1/models'],
    ['http://h/models', ['openai-chat'], '/models/v1/chat/completions', '/models/v1/models'],
    ['http://h/llm', ['openai-chat'], '/llm/v1/chat/completions', '/llm/v1/models'],
  ] as const) {
    const provider = custom({ origin });
    assert.deepEqual(provider.dialects, dialects, origin);
    assert.equal(signCall(provider, dialects[0]).target, chat, origin);
    assert.equal(signList(provider)?.target, models, origin);
  }
  const both = custom({ origin: 'http://h/x/v1/messages', dialects: ['openai-chat', 'anthropic-messages'] });
  assert.equal(signCall(both, 'openai-chat').target, '/x/v1/chat/completions');
  assert.equal(signCall(both, 'anthropic-messages').target, '/x/v1/messages');
  const own = custom({ origin: 'http://h/v1/chat/completions', chatPaths: { 'openai-chat': '/run' } });
  assert.equal(signCall(own, 'openai-chat').target, '/v1/run');
});

test('the address of a call also moves the list of models of a known kind', () => {
  for (const [kind, origin, models] of [
    ['groq', 'http://h/openai/v1/chat/completions', '/openai/v1/models'],
    ['google', 'http://h/v1beta/openai/chat/completions', '/v1beta/openai/models'],
    ['openai', 'http://h/gateway/chat/completions', '/gateway/models'],
    ['anthropic', 'http://h/v1/messages', '/v1/models'],
  ] as const) {
    const provider = configureProvider(providerKinds[kind], { name: kind, origin, credential });
    assert.equal(signList(provider)?.target, models, origin);
  }
});
