/**
 * Goal: whatever a request contains, the caller gets a 400 that names the place, or the provider gets a valid
 * request. Method: every value of every fixture is replaced by odd ones, or removed, and the result is translated.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../src/core/errors.ts';
import { inboundOf } from '../../src/dialects/contract.ts';
import type { RelayDialectName } from '../../src/dialects/index.ts';
import { relayDialects } from '../../src/dialects/index.ts';
import { dialectNames, otherThan, requestFixtures } from './fixtures.ts';
import { targetsOf } from './targets.ts';

const ODD_VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'x',
  true,
  [],
  {},
  [null],
  [{}],
  { type: 'text' },
];

for (const from of dialectNames) {
  test(`${from}: odd values are a 400, or are written as the other format wants them`, (context) => {
    let tried = 0;
    for (const { name, request } of requestFixtures(from)) {
      for (const place of placesOf(request, [])) {
        for (const odd of [...ODD_VALUES, undefined]) {
          const body = JSON.stringify(changed(request, place, odd));
          tried += 1;
          try {
            translate(from, body);
          } catch (error) {
            const where = `${name}: ${place.join('.')} = ${JSON.stringify(odd) ?? 'taken out'}`;
            assert.ok(error instanceof GatewayError, `${where}: ${error}`);
            assert.ok(error.param !== null, `${where}: ${error.message}`);
          }
        }
      }
    }
    context.diagnostic(`${tried} requests`);
  });
}

function translate(from: RelayDialectName, body: string): void {
  const dialect = relayDialects[from];
  const inbound = inboundOf(dialect, body);
  dialect.peek(inbound);
  const request = dialect.readRequest(inbound);
  request.turns.forEach((turn, index) => {
    assert.notEqual(turn.role, request.turns[index - 1]?.role, 'neighbours have different roles');
    for (const block of turn.blocks)
      assert.ok(block.type !== 'text' || block.text.trim() !== '', 'text is never blank');
  });
  const to = otherThan(from);
  for (const { target } of targetsOf(to)) {
    const written = relayDialects[to].writeRequest(request, target).body.toString();
    if (to === 'anthropic-messages') assertTakenByMessages(written);
  }
}

/** Rules whose breach the Messages API answers with a 400: https://docs.anthropic.com/en/api/messages */
function assertTakenByMessages(body: string): void {
  const { messages, max_tokens: cap, thinking } = JSON.parse(body);
  assert.equal(messages[0]?.role, 'user');
  for (const { content } of messages) assert.ok(content.length > 0);
  assert.ok(cap >= 1);
  const budget = thinking?.budget_tokens;
  assert.ok(budget === undefined || (budget >= 1024 && budget < cap));
  assert.ok((body.match(/"cache_control":/g) ?? []).length <= 4);
}

type Place = readonly (string | number)[];

function* placesOf(value: unknown, at: Place): Iterable<Place> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const place = [...at, Array.isArray(value) ? Number(name) : name];
    yield place;
    yield* placesOf(inner, place);
  }
}

/** A copy with another value at one place; removed if the value is undefined. */
function changed(value: unknown, [step, ...rest]: Place, odd: unknown): unknown {
  if (step === undefined) return odd;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => (index === step ? changed(item, rest, odd) : item));
    return items.filter((item) => item !== undefined);
  }
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [name, name === step ? changed(inner, rest, odd) : inner]),
  );
}
