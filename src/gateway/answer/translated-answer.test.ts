/**
 * Goal: frames that differ only in their text are translated to exactly the bytes that parsing each of them would give, and
 * metered alike. Method: streams of every pair of formats, with text, thoughts and calls in pieces, some of them unusual,
 * through a relay that compares frames and one that parses every frame.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Target } from '../../catalog/model.ts';
import { relayedAgain } from '../../dialects/contract.ts';
import { callerDialects, providerDialects } from '../../dialects/index.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import type { Relay } from '../../dialects/interface/relay.ts';
import { FrameRelay } from '../../dialects/kit/relay/frame-relay.ts';
import { encodeSse, SseSplitter } from '../../wire/frames/sse-splitter.ts';
import type { Admitted, Translated } from '../phases.ts';
import { TranslatedAnswer } from './translated-answer.ts';

type Name = 'openai-chat' | 'anthropic-messages';

const PEEK = { model: 'vendor/the "model"', choices: 1, wantsUsage: true, stream: true } as unknown as Peek;
const TARGET = { provider: 'harbour', upstreamModel: 'up', prices: null } as unknown as Target;

/** A piece of a stream, with arbitrary JSON text: a text, a thought, a call's arguments, or another frame in between. */
interface Piece {
  readonly kind: 'text' | 'thought' | 'arguments' | 'other';
  readonly json: string;
}

const json = fc.oneof(
  fc.constantFrom(
    'a',
    'bc',
    '',
    ' \\n',
    '\\"',
    '\\\\',
    '\\/',
    '\\u00e9',
    '\\ud83d\\udc4b',
    'ü',
    '👋',
    '\\u0000',
    '\u007f',
  ),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.string({ unit: 'binary', maxLength: 4 }).map((text) => JSON.stringify(text).slice(1, -1)),
);
const kind = fc.constantFrom<Piece['kind']>(
  'text',
  'text',
  'text',
  'thought',
  'thought',
  'arguments',
  'arguments',
  'other',
);
/** Runs of one kind, as models produce them. */
const pieces = fc
  .array(fc.tuple(kind, fc.array(json, { minLength: 1, maxLength: 6 })), { minLength: 1, maxLength: 5 })
  .map((runs): Piece[] => runs.flatMap(([kind, texts]) => texts.map((json) => ({ kind, json }))));

for (const from of ['openai-chat', 'anthropic-messages'] as const) {
  for (const to of ['openai-chat', 'anthropic-messages'] as const) {
    for (const padded of from === 'openai-chat' ? [false, true] : [false]) {
      test(`${from} for ${to}${padded ? ', padded' : ''}: comparing and parsing give the same stream`, () => {
        let known = 0;
        fc.assert(
          fc.property(pieces, fc.boolean(), fc.boolean(), fc.boolean(), (pieces, shows, isAgain, isBinary) => {
            const [relay, reader] = [open(from, to, shows, true), open(from, to, shows, false)];
            for (const bytes of streamOf(from, pieces, padded, isBinary)) {
              const again = isAgain ? relayedAgain(relay, bytes) : null;
              const relayed = again?.toString('latin1') ?? outcomeOf(() => relayedOnce(relay, bytes));
              if (again !== null || relay.isKnown) known += 1;
              assert.equal(
                relayed,
                outcomeOf(() => relayedOnce(reader, bytes)),
              );
              assert.deepEqual(relay.meter.delivered(), reader.meter.delivered());
              assert.deepEqual([relay.meter.state, relay.meter.usage()], [reader.meter.state, reader.meter.usage()]);
            }
            assert.equal(
              outcomeOf(() => relay.end()),
              outcomeOf(() => reader.end()),
            );
          }),
          { numRuns: 500, seed: 20261123 },
        );
        assert.ok(known > 300, `only ${known} frames were known`);
      });
    }
  }
}

/** Translates even if both formats are the same, to compare a reader with a writer. */
function open(from: Name, to: Name, showsReasoning: boolean, compares: boolean): Relay {
  const request = { oldFunctions: false };
  const translation = { writtenFor: () => ({ toolNames: null }), showsReasoning, hidesReasoning: false, request };
  const call = {
    ...{
      dialect: callerDialects[to],
      peek: PEEK,
      translation,
      warnings: [],
      echo: null,
      meter: null,
      hold: { outputCap: null },
    },
    ...{ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', admittedAt: 1_795_250_000_000 },
  } as unknown as Admitted & Translated;
  const upstream = providerDialects[from];
  return new FrameRelay({
    meter: upstream.openMeter(PEEK),
    editor: new TranslatedAnswer(call, TARGET, upstream, upstream.usualQuirks ?? {}),
    findText: compares ? upstream.findText : undefined,
  });
}

function outcomeOf(relayed: () => Buffer | null): string {
  try {
    return relayed()?.toString('latin1') ?? '';
  } catch (error) {
    return String(error);
  }
}

function relayedOnce(relay: Relay, bytes: Buffer): Buffer | null {
  const [frame] = new SseSplitter().push(bytes);
  assert.ok(frame);
  return relay.frame(frame);
}

/** The frames of a stream that does not end. `isBinary`: some texts contain a byte that is not UTF-8. */
function streamOf(from: Name, pieces: readonly Piece[], padded: boolean, isBinary: boolean): Buffer[] {
  const frames = from === 'openai-chat' ? chunksOf(pieces, padded) : eventsOf(pieces);
  return isBinary
    ? frames.map((frame) => Buffer.from(frame.toString('latin1').replace('bc', 'b\xff'), 'latin1'))
    : frames;
}

function chunksOf(pieces: readonly Piece[], padded: boolean): Buffer[] {
  return pieces.map(({ kind, json }, at) => {
    const deltas = {
      text: `"content":"${json}"`,
      thought: `"reasoning":"${json}","content":null`,
      arguments: `"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"${json}"}}]`,
      other: at % 2 === 0 ? '"refusal":"no"' : `"content":"${json}","reasoning_content":"why"`,
    };
    const padding = padded ? `,"obfuscation":"${'x'.repeat(at % 5)}"` : '';
    return encodeSse(null, `{"id":"a","model":"up","choices":[{"index":0,"delta":{${deltas[kind]}}}]${padding}}`);
  });
}

function eventsOf(pieces: readonly Piece[]): Buffer[] {
  const frames = [event('message_start', '"message":{"id":"m","usage":{"input_tokens":3}}')];
  let open: Piece['kind'] | null = null;
  let index = -1;
  for (const { kind, json } of pieces) {
    if (kind === 'other') {
      frames.push(event('ping', '"x":1'));
      continue;
    }
    if (open !== kind) {
      if (open !== null) frames.push(event('content_block_stop', `"index":${index}`));
      index += 1;
      open = kind;
      const blocks = {
        text: '{"type":"text","text":""}',
        thought: '{"type":"thinking","thinking":""}',
        arguments: '{"type":"tool_use","id":"t","name":"f","input":{}}',
      };
      frames.push(event('content_block_start', `"index":${index},"content_block":${blocks[kind]}`));
    }
    const deltas = {
      text: `"text_delta","text":"${json}"`,
      thought: `"thinking_delta","thinking":"${json}"`,
      arguments: `"input_json_delta","partial_json":"${json}"`,
    };
    frames.push(event('content_block_delta', `"index":${index},"delta":{"type":${deltas[kind]}}`));
  }
  return frames;
}

function event(type: string, rest: string): Buffer {
  return encodeSse(type, `{"type":"${type}",${rest}}`);
}
