/**
 * Goal: whatever a request contains, the caller gets a 400 that names the place, or the provider gets a valid
 * request. Method: every value of every fixture is replaced by a third of the odd ones, in turn, or removed, and the result is written
 * for a target that a fixed seed chooses.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../src/core/errors.ts';
import { callerDialects, providerDialects } from '../../src/dialects/index.ts';
import { seeded } from '../prove/support/seeded.ts';
import { callerNames, providerNames, type RequestFixture, requestFixtures } from './fixtures.ts';
import { assertTaken } from './provider-rules.ts';
import { targetsOf } from './targets.ts';
import { inboundOfFixture } from './translate.ts';

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

for (const from of callerNames) {
  test(`${from}: odd values are a 400, or are written as a provider wants them`, (context) => {
    const random = seeded(17);
    let tried = 0;
    let places = 0;
    for (const fixture of requestFixtures(from)) {
      for (const place of placesOf(fixture.request, [])) {
        places += 1;
        for (const [index, odd] of [...ODD_VALUES, undefined].entries()) {
          if ((index + places) % 3 !== 0) continue;
          const request = changed(fixture.request, place, odd) as RequestFixture['request'];
          tried += 1;
          try {
            translate({ ...fixture, request }, TARGETS[Math.floor(random() * TARGETS.length)] as Target);
          } catch (error) {
            const where = `${fixture.name}: ${place.join('.')} = ${JSON.stringify(odd) ?? 'taken out'}`;
            assert.ok(error instanceof GatewayError, `${where}: ${error}`);
            assert.ok(error.param !== null, `${where}: ${error.message}`);
          }
        }
      }
    }
    context.diagnostic(`${tried} requests`);
  });
}

const TARGETS = providerNames.flatMap((to) => targetsOf(to).map(({ target }) => ({ to, target })));
type Target = (typeof TARGETS)[number];

function translate(fixture: RequestFixture, { to, target }: Target): void {
  const dialect = callerDialects[fixture.from];
  const inbound = inboundOfFixture(fixture);
  dialect.peek(inbound);
  const request = dialect.readRequest(inbound);
  request.turns.forEach((turn, index) => {
    assert.notEqual(turn.role, request.turns[index - 1]?.role, 'neighbours have different roles');
    for (const block of turn.blocks)
      assert.ok(block.type !== 'text' || block.text.trim() !== '', 'text is never blank');
  });
  assertTaken(to, JSON.stringify(providerDialects[to].writeRequest(request, target).body));
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
