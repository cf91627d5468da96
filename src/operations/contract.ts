/** What every operation promises, as tests. Run for the whole table by `index.test.ts`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChatRequest } from '../chat/request.ts';
import { GatewayError } from '../core/errors.ts';
import { PRICE_LINES } from '../core/rates/price-lines.ts';
import { type AnyCallerDialect, callerDialects, providerDialects } from '../dialects/index.ts';
import { namesModel, requestPath } from '../dialects/interface/caller-path.ts';
import type { Inbound } from '../dialects/interface/inbound.ts';
import { scanJson } from '../wire/json-scan.ts';
import { operations } from './index.ts';
import type { FreeOperation, Operation, PaidOperation } from './operation.ts';

export function operationContract(key: string, operation: Operation): void {
  const callers = Object.values(callerDialects).filter(({ paths }) =>
    paths.some(({ operation: name }) => name === operation.name),
  );

  describe(`operation ${key}`, () => {
    test('is in the table under its own name, and some dialect has a path for it', () => {
      assert.equal(operation.name, key);
      assert.ok(callers.length > 0);
    });

    test('is permitted by its own name, or by that of an operation that has its own permission', () => {
      const { permission } = operation;
      assert.equal(operations[permission].permission, permission);
    });

    for (const dialect of callers) {
      test(`reads the model that a caller of ${dialect.name} asks for, and the length of its request`, () => {
        for (const text of ['', 'x'.repeat(5_000)]) {
          const inbound = asked(operation, dialect, text);
          const peek = operation.peek(dialect, inbound);
          assert.equal(peek.model, 'some/model');
          assert.equal(peek.bodyBytes, inbound.document.bytes.length);
        }
      });

      test(`refuses a request without a model, in ${dialect.name}, with 400`, () => {
        const inBody = ['{"model":7,"messages":[]}', '{"model":"","messages":[]}'];
        for (const body of ['[]', '"chat"', 'null', '{}', ...(namesModel(dialect.paths[0]) ? [] : inBody)])
          assert.throws(
            () => operation.peek(dialect, inboundOf(dialect, body, '')),
            (error) => error instanceof GatewayError && error.status === 400,
            body,
          );
      });

      test(`counts a whole number of tokens, and no fewer for a longer request, in ${dialect.name}`, () => {
        const [short = -1, long = -1] = ['', 'x'.repeat(5_000)].map((text) =>
          operation.tokensAbout(operation.peek(dialect, asked(operation, dialect, text))),
        );
        assert.ok(Number.isSafeInteger(short) && short >= 0 && Number.isSafeInteger(long) && long >= short);
      });

      if (operation.isPaid) paidContract(operation, dialect);
      else freeContract(operation, dialect);
    }
  });
}

function paidContract(operation: PaidOperation, dialect: AnyCallerDialect): void {
  test(`has a price: it names the lines that it may be charged by (${dialect.name})`, () => {
    const { priceLines } = operation;
    assert.ok(priceLines.length > 0 && new Set(priceLines).size === priceLines.length);
    for (const line of priceLines) assert.ok(PRICE_LINES.includes(line), line);
    const peek = operation.peek(dialect, asked(operation, dialect, 'x'));
    assert.ok(peek.promptBytes === 0 || priceLines.includes('input'), 'it reads a prompt');
    assert.ok(peek.outputCap === 0 || priceLines.includes('output'), 'it writes');
    const { units } = peek;
    const asksFor = units === undefined ? [] : [units.name.split('/')[0]];
    assert.deepEqual(asksFor, [...operation.unitKinds], 'it is charged by the piece');
    assert.ok(units === undefined || (Number.isSafeInteger(units.most) && units.most > 0));
  });

  test(`holds for no less than was asked for in ${dialect.name}`, () => {
    const peek = operation.peek(dialect, asked(operation, dialect, 'x'));
    const bound = operation.bound(peek);
    assert.ok(bound.bodyBytes >= peek.bodyBytes && bound.choices >= 1);
    assert.ok(bound.outputCap === null || (peek.outputCap !== null && bound.outputCap >= peek.outputCap));
  });

  for (const provider of Object.values(providerDialects)) {
    test(`meters nothing before an answer arrives, asked in ${dialect.name} and answered in ${provider.name}`, () => {
      const meter = operation.openMeter(provider, operation.peek(dialect, asked(operation, dialect, 'x')));
      assert.deepEqual([meter.state, meter.usage(), meter.delivered().outputBytes], ['open', null, 0]);
    });
  }
}

function freeContract(operation: FreeOperation, dialect: AnyCallerDialect): void {
  const estimate = (text: string): Buffer => operation.estimate(dialect, readRequest(dialect, text));

  test(`returns an estimate as an answer, the same each time, in ${dialect.name}`, () => {
    assert.deepEqual(operation.readAnswer(dialect, estimate('x')), estimate('x'));
    assert.notDeepEqual(estimate('x'), estimate('x'.repeat(5_000)));
    assert.ok(estimate('x').length <= operation.answerBytesMax);
  });

  test('returns null for a body that is not an answer', () => {
    for (const body of ['', '<html>', 'null', '[]', '{}', '{"error":{"message":"no"}}'])
      assert.equal(operation.readAnswer(dialect, Buffer.from(body)), null, body);
  });

  const { translate, translateAnswer } = operation;
  test('translates the request and the answer, or neither', () => {
    assert.deepEqual([translate !== undefined, translateAnswer !== undefined], Array(2).fill(operation.isTranslated));
  });

  if (translate !== undefined && translateAnswer !== undefined)
    for (const provider of Object.values(providerDialects))
      test(`asks a provider of ${provider.name} what a caller of ${dialect.name} asks, or not at all`, () => {
        const { usualQuirks = {} } = provider;
        const target = { upstreamModel: 'some-model', outputCap: null, parameters: null, efforts: null, sampling: [] };
        const written = translate(provider, readRequest(dialect, 'x'), { ...target, quirks: usualQuirks });
        if (written === null) return assert.equal(provider.counter, undefined);
        assert.ok(
          JSON.stringify(written.body).includes('Turnpike x') && written.headers['content-type'] === 'application/json',
        );
        for (const body of ['', '<html>', 'null', '[]', '{}', '{"error":{"message":"no"}}'])
          assert.equal(translateAnswer(dialect, provider, Buffer.from(body)), null, body);
      });

  test('waits for a provider no longer than a caller does', () => {
    assert.ok(operation.answerMs > 0 && operation.answerMs <= 30_000);
  });
}

function readRequest(dialect: AnyCallerDialect, text: string): ChatRequest {
  return dialect.readRequest(asked(null, dialect, text));
}

/** A short request in the dialect, longer by this text. */
function asked(operation: Operation | null, dialect: AnyCallerDialect, text: string): Inbound {
  const example = operation?.exampleBody?.(dialect, 'some/model') ?? dialect.exampleBody('some/model');
  const body = JSON.stringify(example).replace('Turnpike', `Turnpike ${text}`);
  assert.ok(body.includes(`Turnpike ${text}`));
  return inboundOf(dialect, body, 'some/model');
}

/** `model`: the name in its path, if it is there. */
function inboundOf(dialect: AnyCallerDialect, body: string, model: string): Inbound {
  const document = scanJson(Buffer.from(body), dialect.scan);
  return { headers: {}, ...requestPath(dialect.paths[0], model), document };
}
