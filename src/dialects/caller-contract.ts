/** What every caller dialect promises. Method: requests without a model, and errors with a secret planted in their cause. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { SseSplitter } from '../wire/frames/sse-splitter.ts';
import { inboundOf, type Naming, REQUEST_ID, SECRET } from './contract-fixture.ts';
import type { CallerDialect } from './dialect.ts';
import { namesModel, requestPath } from './interface/caller-path.ts';

/** `requests` as in `DialectFixtures`. */
export function callerContract(dialect: CallerDialect, requests: readonly string[], of: Naming): void {
  for (const request of requests)
    if (namesModel(dialect.paths[0])) pathModelContract(dialect, request, of);
    else modelContract(dialect, request, of);
  pathContract(dialect, of);
  costLimitsContract(dialect, of);
  fieldNamesContract(dialect, of);
  ownErrorContract(dialect, of);
}

function modelContract(dialect: CallerDialect, body: string, of: Naming): void {
  const label = body.slice(0, 40).replace(/\s+/g, ' ');

  test(of(`a request without a model, or with a model that is not a name, is refused for that (${label})`), () => {
    const without = { ...JSON.parse(body), model: undefined };
    for (const [model, code] of [
      [undefined, 'missing_field'],
      ['', 'invalid_value'],
      [7, 'invalid_value'],
    ] as const) {
      const bad = inboundOf(dialect, JSON.stringify({ ...without, model }));
      assert.throws(
        () => dialect.peek(bad),
        (error) => isError(error, code, 'model'),
      );
    }
  });
}

function pathModelContract(dialect: CallerDialect, body: string, of: Naming): void {
  test(
    of(`a request is for the model in its path, which must be a name (${body.slice(0, 40).replace(/\s+/g, ' ')})`),
    () => {
      const at = (model: string) => ({ ...inboundOf(dialect, body), ...requestPath(dialect.paths[0], model) });
      assert.equal(dialect.peek(at('vendor/a "model"')).model, 'vendor/a "model"');
      for (const model of ['', ' ', 'x'.repeat(1_000)])
        assert.throws(
          () => dialect.peek(at(model)),
          (error) => isError(error, 'invalid_value', 'model'),
        );
    },
  );
}

function pathContract(dialect: CallerDialect, of: Naming): void {
  test(of('its paths have no duplicates, the first is for chat, and its example request is valid there'), () => {
    const [first] = dialect.paths;
    assert.equal(first.operation, 'chat');
    const all = dialect.paths.flatMap(({ pattern, aliases }) => [pattern, ...aliases]);
    assert.deepEqual([...new Set(all)], all);
    assert.equal(
      dialect.paths.some(({ operation }) => operation === 'count_tokens'),
      dialect.counting !== undefined,
    );
    for (const path of all) assert.match(path, /^\/[\w/{}:.-]+[\w}]$/);
    const example = inboundOf(dialect, JSON.stringify(dialect.exampleBody('vendor/one')));
    for (const path of dialect.paths.filter(({ operation }) => operation === 'chat')) {
      const { model, stream } = dialect.peek({ ...example, ...requestPath(path, 'vendor/one') });
      assert.deepEqual([model, stream], ['vendor/one', path.streams === true]);
    }
  });
}

function costLimitsContract(dialect: CallerDialect, of: Naming): void {
  test(of('the field that its messages name for a smaller answer is the one that is read'), () => {
    const field = dialect.costLimits.outputCap
      .split('.')
      .reduceRight<object | number>((value, name) => ({ [name]: value }), 7);
    const body = { ...dialect.exampleBody('vendor/one'), ...(field as object) };
    assert.equal(dialect.peek(inboundOf(dialect, JSON.stringify(body))).outputCap, 7);
  });
}

function fieldNamesContract(dialect: CallerDialect, of: Naming): void {
  test(of('errors about the messages name the field that its requests have'), () => {
    assert.ok((dialect.fieldNames?.['messages'] ?? 'messages') in dialect.exampleBody('vendor/one'));
    const cap = dialect.fieldNames?.['max_tokens'] ?? 'max_tokens';
    assert.equal(cap, dialect.costLimits.outputCap);
  });
}

function ownErrorContract(dialect: CallerDialect, of: Naming): void {
  const error = new GatewayError('budget_exceeded', {
    param: 'model',
    facts: { resets_at: '2026-12-01' },
    cause: new Error(SECRET),
  });

  test(of('an error carries its message, request id, code and facts, and nothing of its cause'), () => {
    const body = dialect.writeError(error, REQUEST_ID).toString();
    const text = JSON.stringify(JSON.parse(body));
    for (const part of [error.message, REQUEST_ID, 'budget_exceeded', 'resets_at'])
      assert.ok(text.includes(part), part);
    assert.ok(!text.includes(SECRET));
  });

  test(of('an error in a stream, and a ping, are whole frames'), () => {
    for (const bytes of [dialect.writeStreamError(error, REQUEST_ID), dialect.ping]) {
      const frames = new SseSplitter().push(bytes);
      assert.ok(frames.length > 0);
      assert.deepEqual(Buffer.concat(frames.map((frame) => frame.bytes)), bytes);
      assert.ok(!bytes.includes(SECRET));
    }
  });
}

function isError(error: unknown, code: string, param: string): boolean {
  assert.ok(error instanceof GatewayError);
  assert.deepEqual([error.code, error.status, error.param], [code, 400, param]);
  return true;
}
