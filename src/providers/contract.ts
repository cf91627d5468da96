/** What every provider promises, as tests. Run over the whole table by `index.test.ts`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../core/secret.ts';
import { configureProvider } from './configure.ts';
import type { DialectName, ProviderDeclaration, Signature } from './provider.ts';

const HABITS = [
  ...[
    'cacheControl',
    'openRouterFields',
    'outputCapFields',
    'reasoningBack',
    'reasoningField',
    'sampling',
    'systemRole',
  ],
];
const CANARY = 'canary-credential-8f1c2d';

export function providerContract(key: string, declaration: ProviderDeclaration): void {
  const origin = declaration.origin === null ? 'http://127.0.0.1:9' : null;
  const provider = configureProvider(declaration, { name: key, origin, credential: new Secret(CANARY) });

  describe(`provider ${key}`, () => {
    test('is declared under its own name, with the page its facts come from', () => {
      assert.equal(declaration.name, key);
      assert.match(declaration.documentation, /^(https:\/\/|docs\/)/);
    });

    test('names the output cap that it obeys, once each, with the page that says so', () => {
      const { fields, documentation } = declaration.outputCap;
      assert.deepEqual([...new Set(fields)], fields);
      assert.match(documentation, /^(https:\/\/|docs\/)/);
      assert.equal(provider.habits.outputCapFields, fields);
    });

    test('has an origin without a slash at the end', () => {
      assert.match(provider.origin, /^https?:\/\/[^/]+$/);
    });

    test('sends no credential in the clear beyond this machine', () => {
      if (declaration.origin !== null && !declaration.origin.startsWith('http://127.0.0.1'))
        assert.match(declaration.origin, /^https:/);
    });

    test('has every habit, its own before the usual ones', () => {
      assert.deepEqual(Object.keys(provider.habits).toSorted(), HABITS);
      assert.partialDeepStrictEqual(provider.habits, declaration.habits ?? {});
    });

    for (const dialect of provider.dialects) {
      test(`signs ${dialect} as declared and adds nothing else`, () => {
        const passed = { 'content-type': 'application/json', 'x-probe': 'kept' };
        const signed = provider.sign(dialect, passed);
        const path = declaration.chatPaths[dialect];
        assert.equal(signed.path, path);
        assert.deepEqual(signed.headers, {
          ...declaration.headers,
          ...passed,
          ...credentialHeader(declaration, dialect),
        });
        assert.deepEqual(passed, { 'content-type': 'application/json', 'x-probe': 'kept' });
      });

      test(`lets no caller's header stand in for the credential of ${dialect}`, () => {
        for (const [name, value] of Object.entries(credentialHeader(declaration, dialect)))
          assert.equal(provider.sign(dialect, { [name]: 'of the caller' }).headers[name], value);
      });
    }

    test('knows everything that it signs with, whatever the header, plain and escaped', () => {
      const signed = provider.dialects.flatMap((dialect) => Object.values(credentialHeader(declaration, dialect)));
      for (const dialect of provider.dialects) {
        const added = Object.entries(provider.sign(dialect, {}).headers).filter(
          ([name]) => !(name in declaration.headers),
        );
        assert.ok(added.every(([, value]) => signed.includes(value)));
        for (const [, value] of added) {
          const secret = value.replace(/^Bearer /, '');
          for (const text of [
            value,
            `{"a":"${secret.replace('-', '\\u002d')}"}`,
            encodeURIComponent(`?${secret}`),
            `=${btoa(`a:${secret}`)}`,
          ])
            assert.equal(provider.leaksCredential(text), true, text);
        }
      }
      assert.equal(provider.leaksCredential('{"error":{"message":"Incorrect API key"}}'), false);
    });

    test('lists models with the credential of its preferred dialect, or says there is no list', () => {
      const request = provider.listModels();
      if (declaration.modelsPath === null) return assert.equal(request, null);
      const preferred = provider.dialects[0] as DialectName;
      assert.equal(request?.path, declaration.modelsPath);
      assert.deepEqual(request?.headers, { ...declaration.headers, ...credentialHeader(declaration, preferred) });
    });

    test('shows its credential to nobody who prints it', () => {
      const printed = [inspect(provider, { showHidden: true, depth: 9 }), JSON.stringify(provider), String(provider)];
      for (const text of printed) assert.ok(!text.includes(CANARY), text);
    });
  });
}

function credentialHeader(declaration: ProviderDeclaration, dialect: DialectName): Record<string, string> {
  const headers: Record<Signature, Record<string, string>> = {
    bearer: { authorization: `Bearer ${CANARY}` },
    'x-api-key': { 'x-api-key': CANARY },
    none: {},
  };
  return headers[declaration.signatures[dialect] ?? 'none'];
}
