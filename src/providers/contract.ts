/** The tests that every provider must pass. `index.test.ts` runs them over the whole table. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../core/secret.ts';
import { type ProviderDialectName, providerDialects, type QuirksOf } from '../dialects/index.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import { framings } from '../wire/frames/framings.ts';
import { configureProvider, ProviderConfigurationError } from './configure.ts';
import type { Provider, ProviderDeclaration } from './provider.ts';
import { PROVIDER_OPTIONS, withOptions } from './provider-options.ts';
import { type Headers, noConversations, type Signed } from './route.ts';

const CANARY = 'canary-credential-8f1c2d';

export function providerContract(key: string, declaration: ProviderDeclaration): void {
  const origin = declaration.origin === null ? 'http://127.0.0.1:9' : null;
  const options = Object.fromEntries(
    Object.entries(declaration.options).flatMap(([name, { isRequired, example }]) =>
      isRequired ? [[name, example]] : [],
    ),
  );
  const settings = { name: key, origin, credential: new Secret(CANARY), ...options };
  const provider = configureProvider(declaration, settings);

  describe(`provider ${key}`, () => {
    test('is declared under its own name, with the page that documents its facts', () => {
      assert.equal(declaration.name, key);
      assert.match(declaration.documentation, /^(https:\/\/|docs\/)/);
    });

    test('has an origin without a slash at the end', () => {
      assert.match(provider.origin, /^https?:\/\/[^/]+$/);
    });

    test('sends no credential in the clear beyond this machine', () => {
      if (declaration.origin !== null && !declaration.origin.startsWith('http://127.0.0.1'))
        assert.match(provider.origin, /^https:/);
    });

    test('needs its required options, and takes their examples and no other option', () => {
      const wrong = (changes: object) => () => configureProvider(declaration, { ...settings, ...changes });
      for (const name of PROVIDER_OPTIONS) {
        const facts = declaration.options[name];
        if (facts === undefined) assert.throws(wrong({ [name]: 'x' }), saying(`does not take the option ${name}`));
        else {
          assert.match(facts.example, facts.pattern);
          assert.throws(wrong({ [name]: 'no value/of this option' }), saying(`invalid value in the option ${name};`));
          if (facts.isRequired) assert.throws(wrong({ [name]: '' }), saying(`needs the option ${name}, such as `));
        }
      }
    });

    test('without conversations, serves no model in a format, and shows the address of what it has', () => {
      if (!Object.values(declaration.routes).includes(noConversations)) return;
      assert.deepEqual(provider.dialectsOf('some-model'), []);
      assert.deepEqual(
        provider.dialects.map((dialect) => provider.exampleTarget(dialect)),
        Object.values(declaration.operations ?? {}).slice(0, 1),
      );
    });

    test('shows its addresses with no particular model, nor escapes', () => {
      for (const dialect of provider.dialects) {
        const shown = provider.exampleTarget(dialect);
        assert.match(shown, /^\/[^%]+$/);
        const named = /\/(?:models?|deployments)\/([^/:]+)/.exec(shown)?.[1];
        assert.ok(named === undefined || named === '<model>', shown);
      }
    });

    for (const dialect of provider.dialects) {
      test(`has every quirk of ${dialect}: its own, otherwise the usual one`, () => {
        const { usualQuirks = {} } = providerDialects[dialect];
        assert.deepEqual(provider.quirksOf(dialect), { ...usualQuirks, ...declaration.quirks[dialect] });
      });
    }

    test('names the output caps that it obeys, once each, with the page that documents them', () => {
      const chat = {
        ...providerDialects['openai-chat'].usualQuirks,
        ...declaration.quirks['openai-chat'],
      } as QuirksOf<'openai-chat'>;
      assert.deepEqual([...new Set(chat.outputCapFields)], chat.outputCapFields);
      assert.match(chat.outputCapDocumentation, /^(https:\/\/|docs\/)/);
    });

    for (const dialect of provider.dialects) {
      test(`has a route for every call in ${dialect}, with the headers of each request`, () => {
        for (const stream of [false, true]) {
          const operation = operationOf(declaration, dialect);
          const route = provider.route(dialect, { operation, model: modelOf(declaration, dialect), stream });
          assert(route !== null);
          const declared = declaration.routes[dialect];
          if (typeof declared === 'string') assert.equal(route.path, withOptions(declared, provider.options));
          assert.match(route.path, /^\/[\x21-\x7e]*$/);
          assert.equal(route.target, route.query === '' ? route.path : `${route.path}?${route.query}`);
          assert.equal(route.headers, declaration.headers);
          assert.ok(Object.hasOwn(framings, route.framing));
        }
      });

      test(`sends in ${dialect} the passed headers, its own headers, and a signature that no caller’s header can replace`, async () => {
        const passed = { 'content-type': 'application/json', 'x-probe': 'kept' };
        const { headers } = await sign(provider, declaration, dialect, passed);
        assert.partialDeepStrictEqual(headers, { ...declaration.headers, ...passed });
        assert.deepEqual(passed, { 'content-type': 'application/json', 'x-probe': 'kept' });
        const added = addedTo({ ...declaration.headers, ...passed }, headers);
        assert.ok(added.length > 0);
        const forged = Object.fromEntries(added.map(([name]) => [name, 'the caller’s']));
        const signed = await sign(provider, declaration, dialect, forged);
        for (const [name] of added) assert.notEqual(signed.headers[name], 'the caller’s');
      });

      test(`recognises everything that it signs ${dialect} with, in any header, plain and escaped`, async () => {
        const { headers, secrets } = await sign(provider, declaration, dialect, {});
        const added = addedTo(declaration.headers, headers).flatMap(([name, value]) => (PUBLIC.has(name) ? [] : value));
        for (const value of [CANARY, ...added]) {
          const secret = value.replace(/^Bearer /, '');
          for (const text of [
            value,
            `{"a":"${secret.replace('-', '\\u002d')}"}`,
            encodeURIComponent(`?${secret}`),
            `=${btoa(`a:${secret}`)}`,
          ])
            assert.equal(secrets(text), true, text);
        }
        assert.equal(secrets('{"error":{"message":"Incorrect API key"}}'), false);
      });
    }

    test('lists models with the credential of its preferred dialect, or has no list', async () => {
      const request = await provider.listModels();
      const hasList = declaration.modelsPath !== null || declaration.modelsAt !== undefined;
      if (!hasList || request === null) return assert.equal(request !== null, hasList);
      const preferred = provider.dialects[0] as ProviderDialectName;
      if (declaration.modelsPath !== null)
        assert.equal(request.target, withOptions(declaration.modelsPath, provider.options));
      assert.match(request.origin, /^https?:\/\/[^/]+$/);
      const signed = await sign(provider, declaration, preferred, {});
      assert.deepEqual(Object.keys(request.headers), Object.keys(signed.headers));
      assert.equal(request.secrets(CANARY), true);
    });

    test('does not reveal its credential when printed', () => {
      const printed = [inspect(provider, { showHidden: true, depth: 9 }), JSON.stringify(provider), String(provider)];
      for (const text of printed) assert.ok(!text.includes(CANARY), text);
    });
  });
}

function saying(words: string): (error: unknown) => boolean {
  return (error) => error instanceof ProviderConfigurationError && error.message.includes(words);
}

/** Headers that a signature adds and that may be repeated. */
const PUBLIC: ReadonlySet<string> = new Set(['x-amz-date']);

/** A model that it serves in the dialect. */
function modelOf(declaration: ProviderDeclaration, dialect: ProviderDialectName): string {
  return declaration.exampleModels?.[dialect] ?? 'some-model';
}

/** One that it has in the dialect: a conversation, unless it has none. */
function operationOf({ routes, operations }: ProviderDeclaration, dialect: ProviderDialectName): OperationName {
  if (routes[dialect] !== noConversations) return 'chat';
  const [first] = typeof operations === 'object' ? (Object.keys(operations) as OperationName[]) : [];
  assert(first !== undefined, 'a provider without conversations has another operation');
  return first;
}

async function sign(
  provider: Provider,
  declaration: ProviderDeclaration,
  dialect: ProviderDialectName,
  headers: Headers,
): Promise<Signed> {
  const model = modelOf(declaration, dialect);
  const route = provider.route(dialect, { operation: operationOf(declaration, dialect), model, stream: false });
  assert(route !== null);
  return provider.sign({ method: 'POST', route, headers, body: Buffer.from('{}') });
}

function addedTo(before: Headers, after: Headers): (readonly [name: string, value: string])[] {
  return Object.entries(after).filter(([name]) => !Object.hasOwn(before, name));
}
