/** Callers of every paid operation besides conversations, their provider, and whether what both saw agrees with the ledger. */
import assert from 'node:assert/strict';
import type { Ending } from '../../../src/core/settlement.ts';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import type { SettledCall } from './ledger-file.ts';
import { numberedParts, type PartName, partModel, partNames, partOfPath, partPath } from './numbered-parts.ts';
import { between } from './seeded.ts';

/** What a caller knows of its call. */
export interface PartCall {
  readonly name: PartName;
  /** Of the calls of its operation. */
  readonly number: number;
  /** From `x-generation-id`; null while no head of an answer was seen. */
  id: string | null;
  /** Whether the answer was seen to its end. */
  complete: boolean;
}

export interface PartsProvider extends ScriptedUpstream {
  /** Calls that it answered, or was about to: `<operation> <number>`. */
  readonly answered: ReadonlySet<string>;
}

export interface PartCallersOptions {
  readonly url: string;
  readonly key: string;
  readonly random: () => number;
  /** Every call is recorded here before it is made. */
  readonly log: PartCall[];
  /** How many calls of each operation were made. */
  readonly made: Map<PartName, number>;
  /** Called for every answer that ended. */
  readonly onProgress: () => void;
}

/** Calls whose answers never end stand for those that a kill interrupts. */
const STAYS = 0.03;

export async function startPartsProvider(): Promise<PartsProvider> {
  const answered = new Set<string>();
  const upstream = await startScriptedUpstream(async (exchange) => {
    const { name, number, stays } = askedOf(exchange);
    const { body, type } = numberedParts[name].answer(number);
    if (stays) return name === 'speech' ? beginSpeech(exchange, body, type) : undefined;
    answered.add(`${name} ${number}`);
    await exchange.whole(200, body, { 'content-type': type });
  });
  return Object.assign(upstream, { answered });
}

async function beginSpeech(exchange: Exchange, body: Buffer, type: string): Promise<void> {
  await exchange.openStream({ 'content-type': type });
  await exchange.chunk(body);
}

function askedOf({ request }: Exchange) {
  const name = partOfPath(request.startLine.split(' ')[1] ?? '');
  const [, number, way] = /#(\d+) (end|stay)#/.exec(request.body.toString('latin1')) ?? [];
  if (number === undefined) throw new Error('a request that is not numbered');
  return { name, number: Number(number), stays: way === 'stay' };
}

/** Calls one after the other, `count` at once, until the connection breaks. */
export async function callParts(options: PartCallersOptions, count: number): Promise<void> {
  const caller = async () => {
    while (await call(options));
  };
  await Promise.all(Array.from({ length: count }, caller));
}

/** False when the connection broke. */
async function call({ url, key, random, log, made: counts, onProgress }: PartCallersOptions): Promise<boolean> {
  const name = partNames[between(random, 0, partNames.length - 1)] as PartName;
  const made: PartCall = {
    name,
    number: (counts.get(name) ?? 0) + 1,
    id: null,
    complete: false,
  };
  counts.set(name, made.number);
  log.push(made);
  const { body, type } = numberedParts[name].ask(
    partModel(name),
    made.number,
    `#${made.number} ${random() < STAYS ? 'stay' : 'end'}#`,
  );
  try {
    const response = await fetch(url + partPath(name), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      body: new Uint8Array(body),
    });
    made.id = response.headers.get('x-generation-id');
    const text = await response.text();
    assert.equal(response.status, 200, `${name}: ${text.slice(0, 300)}`);
    made.complete = true;
    onProgress();
    return true;
  } catch (error) {
    // `fetch` reports a connection that was refused or broke this way.
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}

/** Throws if a charge was lost, made twice, or is wrong. `settled`: of operations besides conversations. */
export function auditParts(
  calls: readonly PartCall[],
  answered: ReadonlySet<string>,
  settled: readonly SettledCall[],
  allowed: ReadonlySet<Ending>,
): void {
  const byId = new Map(settled.map((each) => [each.id, each]));
  const made = new Map(calls.map((each) => [`${each.name} ${each.number}`, each]));
  const callById = new Map(calls.flatMap((each) => (each.id === null ? [] : [[each.id, each] as const])));
  for (const { name, number, id, complete } of calls) {
    if (!complete) continue;
    const one = id === null ? undefined : byId.get(id);
    assert.ok(one, `lost: ${name} ${number}, ${id}, was seen whole and is not settled`);
    assert.deepEqual([one.ending, one.operation, numberedParts[name].numberIn(one)], ['complete', name, number]);
  }
  const charged = new Set<string>();
  for (const one of settled) {
    assert.ok(allowed.has(one.ending), `${one.id} ended ${one.ending}`);
    const name = one.operation as PartName;
    if (one.ending === 'complete') {
      const number = numberedParts[name].numberIn(one);
      const place = `${name} ${number}`;
      const known = made.get(place);
      assert.ok(known !== undefined && (known.id === null || known.id === one.id), `${one.id} is of no call: ${place}`);
      assert.ok(!charged.has(place), `double: ${place} was charged twice`);
      assert.ok(answered.has(place), `${place} was charged, and its provider did not answer`);
      assert.equal(one.charge, numberedParts[name].chargeOf(number), place);
      charged.add(place);
    } else {
      const known = callById.get(one.id);
      assert.ok(known?.complete !== true, `${one.id} was seen whole and ended ${one.ending}`);
      const candidates = known === undefined ? calls.filter((each) => each.name === name && each.id === null) : [known];
      const most = candidates.map(({ number }) => numberedParts[name].chargeOf(number));
      assert.ok(
        most.some((charge) => one.charge <= charge),
        `${one.id} is charged ${one.charge}`,
      );
    }
  }
}

/** Whether a settlement is checked here. */
export function isOfPart({ operation }: SettledCall): boolean {
  return (partNames as readonly string[]).includes(operation);
}
