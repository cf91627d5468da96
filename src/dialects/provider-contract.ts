/** What every provider dialect promises. Method: hand-written answers, whole and cut short, and refusals with a secret planted in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent } from '../chat/response.ts';
import { type FramingName, framings } from '../wire/frames/framings.ts';
import { framesOf, type Metered, type Naming, PEEK, readMeter, SECRET } from './contract-fixture.ts';
import type { ProviderDialect } from './dialect.ts';
import type { Peek } from './interface/peek.ts';
import { WholeAnswer } from './kit/relay/whole-answer.ts';

/** An answer to one request. */
export interface ProviderAnswer {
  readonly name: string;
  readonly bytes: Buffer;
  readonly peek: Peek;
  readonly metered: Metered;
  /** Of a stream; `sse` if absent. */
  readonly framing?: FramingName;
}

export function providerContract(
  dialect: ProviderDialect,
  streams: readonly ProviderAnswer[],
  answers: readonly ProviderAnswer[],
  of: Naming,
): void {
  for (const stream of streams) streamContract(dialect, stream, (what) => of(`${stream.name}: ${what}`));
  for (const answer of answers) answerContract(dialect, answer, (what) => of(`${answer.name}: ${what}`));
  refusalContract(dialect, of);
}

function streamContract(dialect: ProviderDialect, stream: ProviderAnswer, of: Naming): void {
  const { bytes, peek, metered, framing = 'sse' } = stream;
  const frames = framings[framing].openSplitter().push(bytes);

  test(of('is metered correctly, a frame at a time'), () => {
    const meter = dialect.openMeter(peek);
    for (const frame of frames) meter.frame(frame);
    assert.deepEqual(readMeter(meter), metered);
  });

  test(of('is not finished before its end'), () => {
    for (let kept = 0; kept < frames.length; kept += 1) {
      const meter = dialect.openMeter(peek);
      for (const frame of frames.slice(0, kept)) meter.frame(frame);
      const finished = meter.state === 'finished';
      assert.ok(!finished || meter.finishReason !== null, `after ${kept} of ${frames.length} frames`);
    }
  });

  if (metered.state !== 'finished') return;
  test(of('is read as one answer, block by block, that ends with the metered usage or with an error'), () => {
    const reader = dialect.openReader();
    const events: readonly ChatEvent[] = [...frames.flatMap((frame) => reader.frame(frame)), ...reader.end()];
    const types = events.map(({ type }) => type).filter((type) => type !== 'warning');
    assert.equal(types[0], 'start');
    const blocks = types.filter((type) => type === 'block_start' || type === 'block_end');
    assert.ok(blocks.every((type, index) => type === (index % 2 === 0 ? 'block_start' : 'block_end')));
    assert.equal(types.indexOf('error'), types.at(-1) === 'error' ? types.length - 1 : -1);
    const last = events.at(-1);
    if (last?.type === 'error') return;
    assert.deepEqual(types.slice(-2), ['finish', 'end']);
    assert.deepEqual(last?.type === 'end' && last.usage, metered.usage);
  });
}

function answerContract(dialect: ProviderDialect, { bytes, peek, metered }: ProviderAnswer, of: Naming): void {
  test(of('is metered correctly'), () => {
    const meter = dialect.openMeter(peek);
    meter.body(new WholeAnswer(bytes));
    assert.deepEqual(readMeter(meter), metered);
    assert.ok(meter.ended);
  });

  test(of('cut short, or replaced by a page, is a failed answer that cannot be read'), () => {
    for (const cut of [bytes.subarray(0, -3), Buffer.from('<html>Bad gateway</html>'), Buffer.alloc(0)]) {
      const meter = dialect.openMeter(peek);
      meter.body(new WholeAnswer(cut));
      assert.equal(meter.state, 'failed');
      assert.equal(dialect.readResponse(cut), null);
    }
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

function refusalContract(dialect: ProviderDialect, of: Naming): void {
  for (const [status, body, code] of REFUSALS) {
    test(of(`a provider's ${status} ${body.slice(0, 60)} reveals nothing about the operator`), () => {
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

  test(of('a frame that is not JSON does not finish an answer'), () => {
    const meter = dialect.openMeter(PEEK);
    for (const frame of framesOf(Buffer.from('data: {"model":"x"\n\ndata: <html>\n\n'))) meter.frame(frame);
    assert.notEqual(meter.state, 'finished');
  });
}
