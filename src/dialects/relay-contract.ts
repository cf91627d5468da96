/** What every relay dialect promises. Method: compare whole with cut into pieces, and original with edited. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../core/body.ts';
import { GatewayError } from '../core/errors.ts';
import type { Frame } from '../wire/frames/frame.ts';
import { encodeSse, SseSplitter } from '../wire/frames/sse-splitter.ts';
import type { JsonDocument } from '../wire/json-document.ts';
import {
  type AnswerFixture,
  CALLER_MODEL,
  type ErrorFixture,
  framesOf,
  inboundOf,
  type Naming,
  PEEK,
  plainContext,
  REQUEST_ID,
  readMeter,
  runStream,
  SECRET,
  seeded,
} from './contract-fixture.ts';
import type { RelayDialect } from './dialect.ts';
import { namesModel } from './interface/caller-path.ts';
import { WholeAnswer } from './kit/relay/whole-answer.ts';

export interface RelayFixtures<Quirks extends object> {
  /** Those of a server that accepts requests unchanged. */
  readonly quirks: Quirks;
  /** Not streamed, without governed fields, each with an output cap or in need of one. */
  readonly requests: readonly string[];
  readonly streams: readonly AnswerFixture[];
  readonly answers: readonly AnswerFixture[];
  readonly errors: readonly ErrorFixture[];
}

export function relayContract<Quirks extends object>(
  dialect: RelayDialect<string, Quirks>,
  { quirks, requests, streams, answers, errors }: RelayFixtures<Quirks>,
  of: Naming,
): void {
  for (const request of requests) requestContract(dialect, request, quirks, of);
  for (const stream of streams) streamContract(dialect, stream, (what) => of(`${stream.name}: ${what}`));
  for (const answer of answers) answerContract(dialect, answer, (what) => of(`${answer.name}: ${what}`));
  for (const error of errors) eventErrorContract(dialect, error, of);
  streamErrorContract(dialect, of);
}

function requestContract<Quirks extends object>(
  dialect: RelayDialect<string, Quirks>,
  body: string,
  quirks: Quirks,
  of: Naming,
): void {
  const inbound = inboundOf(dialect, body, SENT_HEADERS);
  const peek = dialect.peek(inbound);
  const label = body.slice(0, 40).replace(/\s+/g, ' ');

  test(of(`of a request only the model's name changes, if it is in the body (${label})`), () => {
    const patched = dialect.patchRequest(inbound, peek, {
      model: 'up/stream-1',
      outputCap: null,
      quirks,
    });
    const model = inbound.document.fields.get('model');
    assert.equal(model !== undefined, !namesModel(dialect.paths[0]));
    const expected = model === undefined ? body : body.replace(sliceOf(inbound.document, model), '"up/stream-1"');
    assert.equal(patched.body.toString(), expected);
  });

  test(of(`an output cap that the gateway sets is the one a provider reads (${label})`), () => {
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
}

/** Headers of a client that must not reach the provider. */
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

  test(of('is metered correctly'), () => {
    assert.deepEqual(run([bytes]).metered, fixture.metered);
  });

  test(of('is the same however it is cut'), () => {
    const whole = run([bytes]);
    for (const pieces of everyCut(bytes)) assert.deepEqual(run(pieces), whole);
    const frames = new SseSplitter().push(bytes).map((frame) => frame.bytes);
    const rest = bytes.subarray(frames.reduce((sum, frame) => sum + frame.length, 0));
    assert.deepEqual(run([...frames, rest]), whole, 'a frame at a time');
  });

  test(of('reads as the same answer when patched, with the model name that the caller sent'), () => {
    const { output, metered } = run([bytes]);
    assert.deepEqual(runStream(dialect, [output], peek, plainContext(CALLER_MODEL)).metered, metered);
    assert.ok(output.includes(JSON.stringify(CALLER_MODEL)));
    assert.ok(!output.includes(`"model":${JSON.stringify(fixture.upstreamModel)}`));
  });

  if (fixture.alwaysEdited === true) return;
  test(of('passes byte for byte if there is nothing to edit'), () => {
    const asked = { ...peek, wantsUsage: true };
    const { output } = runStream(dialect, [bytes], asked, plainContext(fixture.upstreamModel));
    assert.equal(output.toString(), fixture.bytes.toString());
  });
}

const SEEDED_CUTS = 200;

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

  test(of('has the model name that the caller sent, and otherwise passes byte for byte'), () => {
    const plain = dialect.openRelay(peek, plainContext(fixture.upstreamModel)).editBody(new WholeAnswer(fixture.bytes));
    assert.equal(bytesOf(plain).toString(), fixture.bytes.toString());
    const context = { ...plainContext(fixture.upstreamModel), callerModel: CALLER_MODEL };
    const patched = bytesOf(dialect.openRelay(peek, context).editBody(new WholeAnswer(fixture.bytes))).toString();
    const expected = fixture.bytes
      .toString()
      .replace(JSON.stringify(fixture.upstreamModel), JSON.stringify(CALLER_MODEL));
    assert.equal(patched, expected);
  });

  test(of('names the provider, and without that edit equals the original byte for byte'), () => {
    const context = { ...plainContext(fixture.upstreamModel), provider: 'harbour "α"' };
    const patched = bytesOf(dialect.openRelay(peek, context).editBody(new WholeAnswer(fixture.bytes))).toString();
    assert.equal(patched.replace(',"provider":"harbour \\"α\\""', ''), fixture.bytes.toString());
    const relay = dialect.openRelay(peek, context);
    const answer = new WholeAnswer(fixture.bytes);
    relay.readBody(answer);
    assert.deepEqual(readMeter(relay.meter), fixture.metered);
    assert.equal(bytesOf(relay.editBody(answer)).toString(), patched, 'whether the meter read it before or not');
  });

  test(of('cut short, or replaced by a page, passes unchanged'), () => {
    for (const bytes of [fixture.bytes.subarray(0, -3), Buffer.from('<html>Bad gateway</html>'), Buffer.alloc(0)]) {
      const passed = dialect.openRelay(peek, plainContext(CALLER_MODEL)).editBody(new WholeAnswer(bytes));
      assert.equal(bytesOf(passed).toString(), bytes.toString());
    }
  });
}

function eventErrorContract(dialect: RelayDialect, { event, isSafe, adds }: ErrorFixture, of: Naming): void {
  const label = event.replace(/\s+/g, ' ').slice(0, 80);
  const [frame] = framesOf(Buffer.from(event));
  assert(frame !== undefined);

  test(of(`an error event passes unchanged only if nothing in it concerns only the operator (${label})`), () => {
    const meter = dialect.openMeter(PEEK);
    meter.frame(frame);
    assert.equal(meter.state, 'failed');
    const said = dialect.readEventError(frame);
    assert.equal(said?.isSafe, isSafe);
    for (const part of ['org-', 'credit', SECRET]) assert.ok(!said.error.message.includes(part), said.error.message);
  });

  test(
    of(`the event added after an error event contains only the error, and gets none added itself (${label})`),
    () => {
      const added = dialect.readEventError(frame)?.alone ?? null;
      assert.equal(added?.toString() ?? null, adds);
      if (added === null) return;
      const frames = framesOf(Buffer.from(event), added);
      assert.equal(frames.length, 2);
      const again = dialect.readEventError(frames[1] as Frame);
      assert.deepEqual([again?.alone, again?.isSafe], [null, isSafe]);
    },
  );
}

function streamErrorContract(dialect: RelayDialect, of: Naming): void {
  const error = new GatewayError('budget_exceeded');

  test(of('an error in a stream ends it with each of its frames'), () => {
    const bytes = dialect.writeStreamError(error, REQUEST_ID);
    const frames = new SseSplitter().push(bytes);
    for (const frame of frames) {
      const meter = dialect.openMeter(PEEK);
      meter.frame(frame);
      assert.equal(meter.state, 'failed');
      assert.ok(meter.ended);
    }
  });

  test(
    of('an error in a stream is complete for a gateway in front of this one: it has nothing to add or remove'),
    () => {
      const own = new GatewayError('upstream_overloaded', { message: 'The provider is overloaded: Busy until noon.' });
      const frames = framesOf(dialect.writeStreamError(own, REQUEST_ID));
      const [first, second = null] = frames.map((frame) => dialect.readEventError(frame));
      assert.deepEqual([first?.isSafe, second?.isSafe ?? true], [true, true]);
      assert.equal(first?.alone?.toString(), frames[1]?.bytes.toString());
      assert.equal(second?.alone ?? null, null);
    },
  );

  test(of('pings and comments pass and are not metered'), () => {
    const relay = dialect.openRelay(PEEK, plainContext(CALLER_MODEL));
    const { meter } = relay;
    for (const frame of framesOf(dialect.ping, Buffer.from(': hello\n\n'), Buffer.from('\n')))
      assert.equal(relay.frame(frame), frame.bytes);
    assert.equal(meter.state, 'open');
    assert.ok(!meter.ended);
  });

  test(of('what is not JSON passes unchanged and fails the answer'), () => {
    const relay = dialect.openRelay(PEEK, plainContext(CALLER_MODEL));
    for (const frame of framesOf(encodeSse(null, '{"model":"x"'), encodeSse(null, '<html>')))
      assert.equal(relay.frame(frame)?.toString(), frame.bytes.toString());
    assert.notEqual(relay.meter.state, 'finished');
  });
}

function sliceOf(document: JsonDocument, field: { readonly valueStart: number; readonly valueEnd: number }): string {
  return document.bytes.toString('utf8', field.valueStart, field.valueEnd);
}
