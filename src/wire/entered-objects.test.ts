/**
 * Goal: the fields of an entered object are those that a scan of the object alone finds, however the body was cut; and finding them again
 * takes no scan. Method: random bodies, scanned with and without.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GatewayError } from '../core/errors.ts';
import type { JsonDocument } from './json-document.ts';
import { JsonScan, scanInside, scanJson } from './json-scan.ts';

const entered = new Set(['config', 'whole']);
const watchedKeys = new Set(['id', 'config']);

function scanInPieces(bytes: Buffer, cuts: readonly number[]): JsonDocument {
  const scanning = new JsonScan({ watchedKeys, entered });
  for (const cut of [...cuts].sort((one, other) => one - other)) scanning.feed(bytes, Math.min(cut, bytes.length));
  return scanning.finish(bytes, bytes.length);
}

const value = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('{"id":{"id":1}}', '{"config":{}}', '"x\\"y"', '[]', '0'),
);
const object = fc
  .uniqueArray(fc.constantFrom('id', 'model', 'config', 'whole', 'a\\u0062'), { maxLength: 4 })
  .chain((names) =>
    fc
      .array(value, { minLength: names.length, maxLength: names.length })
      .map((values) => `{${names.map((name, at) => ` "${name}" : ${values[at]}`).join(' ,')} }`),
  );

test('an entered object has the fields and values that a scan of it alone finds', () => {
  fc.assert(
    fc.property(object, object, value, fc.array(fc.nat(400), { maxLength: 6 }), (config, whole, other, cuts) => {
      const bytes = Buffer.from(`{"config":${config},"other":${other},"whole":${whole},"more":[{"config":{"x":1}}]}`);
      const document = scanInPieces(bytes, cuts);
      const { inside = [], ...rest } = document;
      assert.deepEqual(rest, scanJson(bytes, { watchedKeys }));
      assert.equal(inside.length, 2);
      for (const name of entered) {
        const field = document.fields.get(name);
        assert.ok(field !== undefined);
        const found = scanInside(document, field);
        assert.ok(inside.includes(found));
        assert.deepEqual(found, scanInside(scanJson(bytes), field));
      }
    }),
  );
});

test('what is not an object is not entered, and a name twice in an entered object is refused', () => {
  const document = scanInPieces(Buffer.from('{"config":["a"],"whole":"x"}'), [3]);
  assert.deepEqual(document.inside, []);
  assert.throws(() => scanInPieces(Buffer.from('{"config":{"a":1,"a":2}}'), []), GatewayError);
});

test('a scan that is used again has forgotten the objects of the last body', () => {
  const scanning = new JsonScan({ entered });
  const first = Buffer.from('{"config":{"a":1}}');
  const second = Buffer.from('{"model":{"b":1}}');
  assert.equal(scanning.finish(first, first.length).inside?.length, 1);
  assert.deepEqual(scanning.reset().finish(second, second.length).inside, []);
});
