/**
 * What every dialect keeps, whatever its format. A member's test calls `dialectContract` with
 * streams, answers and requests in its format, written by hand; method: whole against cut into
 * pieces, original against patched, and refusals with a secret planted in them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../core/body.ts';
import { GatewayError } from '../core/errors.ts';
import type { Usage } from '../core/usage.ts';
import type { Frame } from '../wire/frame.ts';
import { type JsonDocument, scanJson } from '../wire/json-scan.ts';
import { encodeSse, SseSplitter } from '../wire/sse.ts';
import type { RelayDialect } from './dialect.ts';
import type { Inbound } from './interface/inbound.ts';
import type { MeterState } from './interface/meter.ts';
import type { Peek } from './interface/peek.ts';
import type { Relay, RelayContext } from './interface/relay.ts';
import { NO_MEDIA } from './kit/media/inline-media.ts';
import { WholeAnswer } from './kit/relay/whole-answer.ts';

/** What an answer must be metered as. */
export interface Metered {
  readonly state: MeterState;
  readonly usage: Usage | null;
  readonly outputBytes: number;
  readonly finishReason: string | null;
  readonly upstreamId: string | null;
}

export interface AnswerFixture {
  readonly name: string;
  /** A stream's bytes, or a whole answer's. */
  readonly bytes: Buffer;
  /** The model string in these bytes. */
  readonly upstreamModel: string;
  /** The request it answers, as JSON. */
  readonly request: string;
  readonly metered: Metered;
  /** True where the format's own edits touch it even when nothing is asked of the relay. */
  readonly alwaysEdited?: boolean;
}

/** An error event as a provider sends it. */
export interface ErrorFixture {
  readonly event: string;
  readonly isSafe: boolean;
  /** The event that a relay adds after it; null where it adds none. */
  readonly adds: string | null;
}

export interface DialectFixtures<Quirks extends object> {
  /** Of a server that takes requests as they are. */
  readonly quirks: Quirks;
  /** Not streamed, none of them governed, each with an output cap or in need of one. */
  readonly requests: readonly string[];
  readonly streams: readonly AnswerFixture[];
  readonly answers: readonly AnswerFixture[];
  readonly errors: readonly ErrorFixture[];
}

/** Registers the tests of one member. */
export function dialectContract<Quirks extends object>(
  dialect: RelayDialect<string, Quirks>,
  fixtures: DialectFixtures<Quirks>,
): void {
  const of = (what: string) => `${dialect.name}: ${what}`;
  for (const request of fixtures.requests) requestContract(dialect, request, fixtures.quirks, of);
  for (const stream of fixtures.streams) streamContract(dialect, stream, (what) => of(`${stream.name}: ${what}`));
  for (const answer of fixtures.answers) answerContract(dialect, answer, (what) => of(`${answer.name}: ${what}`));
  for (const error of fixtures.errors) eventErrorContract(dialect, error, of);
  refusalContract(dialect, of);
  ownErrorContract(dialect, of);
}

/** A request as the gateway hands it to a dialect. */
export function inboundOf(dialect: RelayDialect, body: string, headers: Inbound['headers'] = {}): Inbound {
  return { ...AT_NO_PATH, headers, document: scanJson(Buffer.from(body), dialect.scan) };
}

/** Of a request whose format puts nothing into its path. */
export const AT_NO_PATH = { path: '/', query: '', parameters: {} } as const;

/** A patched stream and what a meter made of the original. */
export interface Run {
  readonly output: Buffer;
  readonly metered: Metered;
}

/** Runs a stream that arrives in these pieces through a relay, as the gateway does. */
export function runStream(dialect: RelayDialect, pieces: readonly Buffer[], peek: Peek, context: RelayContext): Run {
  const splitter = new SseSplitter();
  const relay = dialect.openRelay(peek, context);
  const output: Buffer[] = [];
  for (const piece of pieces) {
    const again = splitter.isBetweenFrames ? relayedAgain(relay, piece) : null;
    if (again !== null) {
      output.push(again);
      continue;
    }
    for (const frame of splitter.push(piece)) {
      const relayed = relay.frame(frame);
      if (relayed !== null) output.push(relayed);
    }
  }
  output.push(splitter.end());
  return { output: Buffer.concat(output), metered: readMeter(relay.meter) };
}

/** What a frame becomes that is known for a repetition; else null. What lies before and after it is left alone. */
export function relayedAgain(relay: Relay, bytes: Buffer): Buffer | null {
  const { outputBytes } = relay.meter.delivered();
  const scratch = Buffer.alloc(SCRATCH_BYTES, EMPTY);
  assert.equal(relay.again(bytes, scratch.subarray(0, SCRATCH_START + 1), SCRATCH_START), -1);
  assert.equal(relay.meter.delivered().outputBytes, outputBytes);
  scratch.fill(EMPTY);
  const length = relay.again(bytes, scratch, SCRATCH_START);
  const end = SCRATCH_START + Math.max(0, length);
  assert.ok(scratch.subarray(0, SCRATCH_START).every((byte) => byte === EMPTY));
  assert.ok(scratch.subarray(end).every((byte) => byte === EMPTY));
  return length === -1 ? null : scratch.subarray(SCRATCH_START, end);
}

const SCRATCH_BYTES = 4096;
const SCRATCH_START = 7;
const EMPTY = 0xee;

/** A context that prices nothing and changes no model: what then still changes is the format's own edits. */
export function plainContext(model: string): RelayContext {
  return { callerModel: model, cost: () => null };
}

const CALLER_MODEL = 'vendor/the "caller\'s" own name';
const SECRET = 'sk-proj-Zq81kXw0PlantedSecret77';
const REQUEST_ID = 'req_01contract';
const SEEDED_CUTS = 200;

type Naming = (what: string) => string;

function requestContract<Quirks extends object>(
  dialect: RelayDialect<string, Quirks>,
  body: string,
  quirks: Quirks,
  of: Naming,
): void {
  const inbound = inboundOf(dialect, body, SENT_HEADERS);
  const peek = dialect.peek(inbound);
  const label = body.slice(0, 40).replace(/\s+/g, ' ');

  test(of(`of a request only the model's name changes (${label})`), () => {
    const patched = dialect.patchRequest(inbound, peek, {
      model: 'up/stream-1',
      outputCap: null,
      quirks,
    });
    const model = inbound.document.fields.get('model');
    assert(model !== undefined);
    const expected = body.replace(sliceOf(inbound.document, model), '"up/stream-1"');
    assert.equal(patched.body.toString(), expected);
  });

  test(of(`an output cap that is set is the cap a provider reads (${label})`), () => {
    const patched = dialect.patchRequest(inbound, peek, { model: peek.model, outputCap: 256, quirks });
    assert.equal(dialect.peek(inboundOf(dialect, patched.body.toString())).outputCap, 256);
  });

  test(of(`no credential and no organisation of the caller is passed on (${label})`), () => {
    const { headers } = dialect.patchRequest(inbound, peek, {
      model: 'up/stream-1',
      outputCap: null,
      quirks,
    });
    assert.equal(headers['content-type'], 'application/json');
    assert.ok(!JSON.stringify(headers).includes(SECRET));
  });

  test(of(`no header passes because its name begins or ends like one that does (${label})`), () => {
    const passing = Object.keys(
      dialect.patchRequest(inbound, peek, { model: 'up/stream-1', outputCap: null, quirks }).headers,
    );
    const names = [...passing, 'openai-beta', 'anthropic-beta', 'x-claude-code-session-id', 'x-stainless', 'anthropic'];
    const alike = names.flatMap((name) => [
      `${name}-authorization`,
      `x-${name}`,
      `${name.slice(0, name.lastIndexOf('-') + 1)}authorization`,
    ]);
    const headers = { ...inbound.headers, ...Object.fromEntries(alike.map((name) => [name, SECRET])) };
    const patched = dialect.patchRequest({ ...inbound, headers }, peek, {
      model: 'up/stream-1',
      outputCap: null,
      quirks,
    });
    assert.ok(!JSON.stringify(patched.headers).includes(SECRET), JSON.stringify(patched.headers));
  });

  test(of(`a request without a model, or with a model that is no name, is told so (${label})`), () => {
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

/** What a client may send that is not the provider's business. */
const SENT_HEADERS = {
  authorization: `Bearer ${SECRET}`,
  'x-api-key': SECRET,
  cookie: SECRET,
  host: SECRET,
  'openai-organization': SECRET,
  'openai-project': SECRET,
  'anthropic-workspace-id': SECRET,
  'x-forwarded-for': SECRET,
};

function streamContract(dialect: RelayDialect, fixture: AnswerFixture, of: Naming): void {
  const { bytes } = fixture;
  const peek = dialect.peek(inboundOf(dialect, fixture.request));
  const context = { ...plainContext(fixture.upstreamModel), callerModel: CALLER_MODEL, cost: () => '0.00125' };
  const run = (pieces: readonly Buffer[]) => runStream(dialect, pieces, peek, context);

  test(of('is metered as it should be'), () => {
    assert.deepEqual(run([bytes]).metered, fixture.metered);
  });

  test(of('comes out the same however it is cut'), () => {
    const whole = run([bytes]);
    for (const pieces of everyCut(bytes)) assert.deepEqual(run(pieces), whole);
    const frames = new SseSplitter().push(bytes).map((frame) => frame.bytes);
    const rest = bytes.subarray(frames.reduce((sum, frame) => sum + frame.length, 0));
    assert.deepEqual(run([...frames, rest]), whole, 'a frame at a time');
  });

  test(of('is not finished before its end'), () => {
    const frames = new SseSplitter().push(bytes);
    for (let kept = 0; kept < frames.length; kept += 1) {
      const meter = dialect.openMeter(peek);
      for (const frame of frames.slice(0, kept)) meter.frame(frame);
      const finished = meter.state === 'finished';
      assert.ok(!finished || meter.finishReason !== null, `after ${kept} of ${frames.length} frames`);
    }
  });

  test(of('reads as the same answer once it is patched, under the name the caller sent'), () => {
    const { output, metered } = run([bytes]);
    assert.deepEqual(runStream(dialect, [output], peek, plainContext(CALLER_MODEL)).metered, metered);
    assert.ok(output.includes(JSON.stringify(CALLER_MODEL)));
    assert.ok(!output.includes(`"model":${JSON.stringify(fixture.upstreamModel)}`));
  });

  if (fixture.alwaysEdited === true) return;
  test(of('passes byte for byte where there is nothing to edit'), () => {
    const asked = { ...peek, wantsUsage: true };
    const { output } = runStream(dialect, [bytes], asked, plainContext(fixture.upstreamModel));
    assert.equal(output.toString(), fixture.bytes.toString());
  });
}

/** All cuts in two of a fixture of ≤ 8 kB, one byte at a time, and seeded cuts into many pieces. */
function* everyCut(bytes: Buffer): Generator<Buffer[]> {
  assert.ok(bytes.length <= 8192, 'a fixture has at most 8 kB');
  for (let at = 1; at < bytes.length; at += 1) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  const random = seeded(20261121);
  for (let round = 0; round < SEEDED_CUTS; round += 1) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + Math.floor(random() * 2 ** Math.floor(random() * 10));
      pieces.push(bytes.subarray(at, at + length));
      at += length;
    }
    yield pieces;
  }
}

function answerContract(dialect: RelayDialect, fixture: AnswerFixture, of: Naming): void {
  const peek = dialect.peek(inboundOf(dialect, fixture.request));

  test(of('is metered as it should be'), () => {
    const meter = dialect.openMeter(peek);
    meter.body(new WholeAnswer(fixture.bytes));
    assert.deepEqual(readMeter(meter), fixture.metered);
    assert.ok(meter.ended);
  });

  test(of('carries the name the caller sent, and else passes byte for byte'), () => {
    const plain = dialect.openRelay(peek, plainContext(fixture.upstreamModel)).editBody(new WholeAnswer(fixture.bytes));
    assert.equal(bytesOf(plain).toString(), fixture.bytes.toString());
    const context = { ...plainContext(fixture.upstreamModel), callerModel: CALLER_MODEL };
    const patched = bytesOf(dialect.openRelay(peek, context).editBody(new WholeAnswer(fixture.bytes))).toString();
    const expected = fixture.bytes
      .toString()
      .replace(JSON.stringify(fixture.upstreamModel), JSON.stringify(CALLER_MODEL));
    assert.equal(patched, expected);
  });

  test(of('says who served it, and undone that is byte for byte what came'), () => {
    const context = { ...plainContext(fixture.upstreamModel), provider: 'harbour "α"' };
    const patched = bytesOf(dialect.openRelay(peek, context).editBody(new WholeAnswer(fixture.bytes))).toString();
    assert.equal(patched.replace(',"provider":"harbour \\"α\\""', ''), fixture.bytes.toString());
    const relay = dialect.openRelay(peek, context);
    const answer = new WholeAnswer(fixture.bytes);
    relay.readBody(answer);
    assert.deepEqual(readMeter(relay.meter), fixture.metered);
    assert.equal(bytesOf(relay.editBody(answer)).toString(), patched, 'whether the meter read it before or not');
  });

  test(of('cut short, or replaced by a page, is a failed answer and passes as it came'), () => {
    for (const bytes of [fixture.bytes.subarray(0, -3), Buffer.from('<html>Bad gateway</html>'), Buffer.alloc(0)]) {
      const meter = dialect.openMeter(peek);
      meter.body(new WholeAnswer(bytes));
      assert.equal(meter.state, 'failed');
      const passed = dialect.openRelay(peek, plainContext(CALLER_MODEL)).editBody(new WholeAnswer(bytes));
      assert.equal(bytesOf(passed).toString(), bytes.toString());
    }
  });
}

function eventErrorContract(dialect: RelayDialect, { event, isSafe, adds }: ErrorFixture, of: Naming): void {
  const label = event.replace(/\s+/g, ' ').slice(0, 80);
  const [frame] = framesOf(Buffer.from(event));
  assert(frame !== undefined);

  test(of(`an error event is told as it came only where nothing of it is the operator's (${label})`), () => {
    const meter = dialect.openMeter(PEEK);
    meter.frame(frame);
    assert.equal(meter.state, 'failed');
    const said = dialect.readEventError(frame);
    assert.equal(said?.isSafe, isSafe);
    for (const part of ['org-', 'credit', SECRET]) assert.ok(!said.error.message.includes(part), said.error.message);
  });

  test(of(`what is added after an error event is one of nothing else, to which nothing is added (${label})`), () => {
    const added = dialect.readEventError(frame)?.alone ?? null;
    assert.equal(added?.toString() ?? null, adds);
    if (added === null) return;
    const frames = framesOf(Buffer.from(event), added);
    assert.equal(frames.length, 2);
    const again = dialect.readEventError(frames[1] as Frame);
    assert.deepEqual([again?.alone, again?.isSafe], [null, isSafe]);
  });
}

const OWN_CREDENTIAL = JSON.stringify({ error: { type: 'authentication_error', message: `Incorrect key: ${SECRET}` } });
const REFUSALS: readonly (readonly [number, string, string])[] = [
  [301, '', 'bad_gateway'],
  [401, OWN_CREDENTIAL, 'upstream_credential_rejected'],
  [402, '{"error":{"message":"Insufficient Balance"}}', 'upstream_credential_rejected'],
  [403, '{"error":{"message":"No access"}}', 'upstream_credential_rejected'],
  [429, '{"error":{"type":"rate_limit_error","message":"Slow down"}}', 'upstream_rate_limited'],
  [429, '{"error":{"type":"insufficient_quota","message":"No money"}}', 'upstream_credential_rejected'],
  [500, OWN_CREDENTIAL, 'bad_gateway'],
  [502, '<html>Bad gateway</html>', 'bad_gateway'],
  [503, '', 'upstream_overloaded'],
  [504, '', 'upstream_timeout'],
  [529, '', 'upstream_overloaded'],
  [400, `<html>${SECRET}</html>`, ''],
];

function refusalContract(dialect: RelayDialect, of: Naming): void {
  for (const [status, body, code] of REFUSALS) {
    test(of(`a provider's ${status} ${body.slice(0, 60)} tells the caller nothing of the operator's`), () => {
      const refusal = dialect.readError(status, { 'retry-after': '7' }, Buffer.from(body));
      if (code !== '') assert.equal(refusal.code, code);
      assert.ok(!refusal.relayable || !body.includes(SECRET));
      if (code === 'upstream_credential_rejected') assert.equal(refusal.relayable, false);
      if (code === 'upstream_rate_limited') assert.equal(refusal.retryAfterSeconds, 7);
      assert.ok(!refusal.message.includes(SECRET) && refusal.message.length <= 200);
    });
  }

  test(of('a delay given as a date is counted from the date of the answer'), () => {
    const headers = { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 10:01:30 GMT' };
    assert.equal(dialect.readError(429, headers, Buffer.alloc(0)).retryAfterSeconds, 90);
  });
}

function ownErrorContract(dialect: RelayDialect, of: Naming): void {
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

  test(of('an error in a stream is whole frames, each of which ends it'), () => {
    const bytes = dialect.writeStreamError(error, REQUEST_ID);
    const frames = new SseSplitter().push(bytes);
    assert.deepEqual(Buffer.concat(frames.map((frame) => frame.bytes)), bytes);
    for (const frame of frames) {
      const meter = dialect.openMeter(PEEK);
      meter.frame(frame);
      assert.equal(meter.state, 'failed');
      assert.ok(meter.ended);
    }
  });

  test(
    of(
      'an error in a stream is whole for a gateway before this one: what it would add is there, and nothing is kept back',
    ),
    () => {
      const own = new GatewayError('upstream_overloaded', { message: 'The provider is overloaded: Busy until noon.' });
      const frames = framesOf(dialect.writeStreamError(own, REQUEST_ID));
      const [first, second = null] = frames.map((frame) => dialect.readEventError(frame));
      assert.deepEqual([first?.isSafe, second?.isSafe ?? true], [true, true]);
      assert.equal(first?.alone?.toString(), frames[1]?.bytes.toString());
      assert.equal(second?.alone ?? null, null);
    },
  );

  test(of('pings and comments mean nothing and pass'), () => {
    const relay = dialect.openRelay(PEEK, plainContext(CALLER_MODEL));
    const { meter } = relay;
    for (const frame of framesOf(dialect.ping, Buffer.from(': hello\n\n'), Buffer.from('\n')))
      assert.equal(relay.frame(frame), frame.bytes);
    assert.equal(meter.state, 'open');
    assert.ok(!meter.ended);
  });

  test(of('what is not JSON passes as it came and fails the answer'), () => {
    const relay = dialect.openRelay(PEEK, plainContext(CALLER_MODEL));
    for (const frame of framesOf(encodeSse(null, '{"model":"x"'), encodeSse(null, '<html>')))
      assert.equal(relay.frame(frame)?.toString(), frame.bytes.toString());
    assert.notEqual(relay.meter.state, 'finished');
  });
}

const PEEK: Peek = {
  model: CALLER_MODEL,
  stream: true,
  outputCap: 100,
  choices: 1,
  hasTools: false,
  namedTools: 0,
  wantsUsage: false,
  hasFormat: false,
  promptUnbounded: false,
  serverToolUses: 0,
  searchField: null,
  compacts: false,
  media: NO_MEDIA,
  promptBytes: 50,
  bodyBytes: 100,
  values: 10,
  growth: 0,
  predictedTokens: 0,
  needsTarget: false,
};

function framesOf(...parts: readonly Buffer[]): Frame[] {
  return new SseSplitter().push(Buffer.concat(parts));
}

function readMeter(meter: ReturnType<RelayDialect['openMeter']>): Metered {
  const { state, finishReason, upstreamId } = meter;
  return { state, usage: meter.usage(), outputBytes: meter.delivered().outputBytes, finishReason, upstreamId };
}

function sliceOf(document: JsonDocument, field: { readonly valueStart: number; readonly valueEnd: number }): string {
  return document.bytes.toString('utf8', field.valueStart, field.valueEnd);
}

function isError(error: unknown, code: string, param: string): boolean {
  assert.ok(error instanceof GatewayError);
  assert.deepEqual([error.code, error.status, error.param], [code, 400, param]);
  return true;
}

/** Numbers in [0, 1) that are the same in every run: https://en.wikipedia.org/wiki/Xorshift */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
