/** Goal: no watched name below the top level is missed, however it is escaped, nested or cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GatewayError } from '../core/errors.ts';
import type { WatchedField } from './json-document.ts';
import { JsonScan } from './json-scan.ts';
import { WATCHED_MAX, WATCHED_PATHS_MAX } from './json-watch.ts';

const watchedKeys: ReadonlySet<string> = new Set(['file_id', 'container', 'größe', '']);

test('a watched key is reported with its path, its position and its type', () => {
  const text = '{"messages":[{"content":[{"source":{"type":"file","file_id" : "f_1"}}]},{"container":{"id":2}}]}';
  assert.deepEqual(
    watch(text).map((found) => [found.path, found.type, valueText(text, found)]),
    [
      ['messages[].content[].source.file_id', 'string', '"f_1"'],
      ['messages[].container', 'object', '{"id":2}'],
    ],
  );
  const [first] = watch(text);
  assert.equal(text.slice(first?.keyStart, (first?.keyStart ?? 0) + 9), '"file_id"');
});

test('a watched key at the top level is in `fields`, not in `watched`', () => {
  assert.deepEqual(watch('{"file_id":1,"container":{}}'), []);
});

test('escaped spellings are found', () => {
  for (const spelling of [
    'file\\u005fid',
    'file\\u005Fid',
    '\\u0066ile_id',
    '\\u0066\\u0069\\u006c\\u0065\\u005f\\u0069\\u0064',
  ]) {
    assert.deepEqual(paths(`{"a":{"${spelling}":1}}`), ['a.file_id'], spelling);
  }
  assert.deepEqual(paths('{"a":{"gr\\u00f6\\u00dfe":1,"größe":2,"":3}}'), ['a["größe"]', 'a["größe"]', 'a[""]']);
});

test('names that only look alike, and values, are not reported', () => {
  assert.deepEqual(
    paths('{"a":{"file_id ":1,"File_id":2,"file_i":3,"file_idx":4,"b":"file_id","c":["file_id"],"file\\\\u005fid":5}}'),
    [],
  );
});

test('watched keys inside the value of a watched key are reported too, outermost first', () => {
  const text = '{"a":{"container":{"file_id":[{"container":null}],"x":1}},"b":[[{"file_id":true}]]}';
  assert.deepEqual(
    watch(text).map((found) => [found.path, valueText(text, found)]),
    [
      ['a.container', '{"file_id":[{"container":null}],"x":1}'],
      ['a.container.file_id', '[{"container":null}]'],
      ['a.container.file_id[].container', 'null'],
      ['b[][].file_id', 'true'],
    ],
  );
});

test('a name with the characters of a path cannot look like one', () => {
  assert.deepEqual(paths('{"messages[].content":{"a.b":{"file_id":1}}}'), ['["messages[].content"]["a.b"].file_id']);
  const long = 'x'.repeat(100);
  assert.deepEqual(paths(`{"a":{"${long}":{"file_id":1}}}`), [`a["${'x'.repeat(64)}…"].file_id`]);
});

test('a path belongs to its own position, however similar the one before was', () => {
  const text =
    '{"a":{"b":[[{"file_id":1}]],"file_id":2,"c":[[{"file_id":3},{"file_id":4}],{"d":{"file_id":5}}]},"e":[{"file_id":6}],"f":{"file_id":7}}';
  const expected = [
    'a.b[][].file_id',
    'a.file_id',
    'a.c[][].file_id',
    'a.c[][].file_id',
    'a.c[].d.file_id',
    'e[].file_id',
  ];
  assert.deepEqual(paths(text), [...expected, 'f.file_id']);
  // The second body has another name at the same position.
  const scan = new JsonScan({ watchedKeys });
  const read = (body: string) => scan.reset().finish(Buffer.from(body), Buffer.byteLength(body)).watched[0]?.path;
  assert.deepEqual([read('{"ab":{"file_id":1}}'), read('{"xy":{"file_id":1}}')], ['ab.file_id', 'xy.file_id']);
});

test('paths that are too long in total are refused, so that a small body cannot cause much work', () => {
  const depth = 120;
  const name = 'n'.repeat(60);
  const body = (count: number) =>
    `${`{"${name}":`.repeat(depth)}{${Array(count).fill('"file_id":1').join(',')}}${'}'.repeat(depth)}`;
  const each = depth * (name.length + 1) + 'file_id'.length;
  const most = Math.floor(WATCHED_PATHS_MAX / each);
  assert.equal(watch(body(most)).length, most);
  assert.throws(
    () => watch(body(most + 1)),
    (error) => error instanceof GatewayError && /deep places/.test(error.message),
  );
});

test('watched keys beyond the limit are refused, not overlooked', () => {
  const body = (count: number) => `{"a":[${Array(count).fill('{"file_id":1}').join(',')}]}`;
  assert.equal(watch(body(WATCHED_MAX)).length, WATCHED_MAX);
  assert.throws(
    () => watch(body(WATCHED_MAX + 1)),
    (error) => error instanceof GatewayError && error.code === 'invalid_value',
  );
});

test('every occurrence that JSON.parse sees is reported, and no other, however the body is cut', () => {
  const name = fc.constantFrom('file_id', 'container', 'other', 'größe', '');
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(1, null, 'file_id', true),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  const spell = (text: string, escaped: boolean) =>
    escaped ? text.replaceAll('file_id"', '\\u0066ile_\\u0069d"') : text;
  fc.assert(
    fc.property(tree, fc.boolean(), fc.array(fc.nat(200), { maxLength: 4 }), (value, escaped, cuts) => {
      const text = spell(JSON.stringify({ body: value }), escaped);
      const expected: unknown[] = [];
      collect(value, expected);
      assert.deepEqual(
        watch(text, cuts).map((found) => JSON.parse(valueText(text, found)) as unknown),
        expected,
      );
      assert.deepEqual(
        watch(text, cuts).map((found) => found.path),
        pathsIn(value, 'body'),
      );
    }),
  );
});

function collect(value: unknown, found: unknown[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && watchedKeys.has(name)) found.push(inner);
    collect(inner, found);
  }
}

function watch(text: string, cuts: readonly number[] = []): readonly WatchedField[] {
  const bytes = Buffer.from(text);
  const scan = new JsonScan({ watchedKeys });
  for (const cut of [...cuts].sort((left, right) => left - right)) scan.feed(bytes, Math.min(cut, bytes.length));
  return scan.finish(bytes, bytes.length).watched;
}

function paths(text: string): string[] {
  return watch(text).map((found) => found.path);
}

function valueText(text: string, found: WatchedField): string {
  return Buffer.from(text).toString('utf8', found.valueStart, found.valueEnd);
}

/** The paths of the watched keys, in the order they are written. */
function pathsIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((element) => pathsIn(element, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => {
    const below = /^\w+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
    return [...(watchedKeys.has(name) ? [below] : []), ...pathsIn(inside, below)];
  });
}
