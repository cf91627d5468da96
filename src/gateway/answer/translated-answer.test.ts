/**
 * Goal: frames that differ only in their text are translated to exactly the bytes that parsing each of them would give, and
 * metered alike. Method: streams of every pair of formats, with text, thoughts and calls in pieces, some of them unusual,
 * through a relay that compares frames and one that parses every frame.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { relayedAgain } from '../../dialects/contract.ts';
import { callerDialects, providerDialects, type RelayDialectName, relayDialects } from '../../dialects/index.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import type { Relay } from '../../dialects/interface/relay.ts';
import { FrameRelay } from '../../dialects/kit/relay/frame-relay.ts';
import type { Candidate } from '../../routing/candidate.ts';
import { encodeSse, SseSplitter } from '../../wire/frames/sse-splitter.ts';
import type { Admitted, Translated } from '../phases.ts';
import { CITATIONS_MAX, TranslatedAnswer } from './translated-answer.ts';

type Name = RelayDialectName;

/** The formats whose chunks hide their lengths. */
const PADS: ReadonlySet<Name> = new Set(['openai-chat', 'openai-responses']);
const PEEK = { model: 'vendor/the "model"', choices: 1, wantsUsage: true, stream: true } as unknown as Peek;
const CANDIDATE = {
  target: { provider: 'harbour', upstreamModel: 'up', prices: null },
  own: null,
} as unknown as Candidate;

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

const NAMES = Object.keys(relayDialects) as Name[];

for (const from of NAMES) {
  for (const to of NAMES) {
    for (const padded of PADS.has(from) ? [false, true] : [false]) {
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
          { numRuns: 150, seed: 20261123 },
        );
        // Events with a number of their own are written one by one.
        if (to === 'openai-responses') assert.equal(known, 0);
        else assert.ok(known > 90, `only ${known} frames were known`);
      });
    }
  }
}

for (const [when, pieces] of [
  ['before its text', [[CITATIONS_MAX + 5, '{"content":"x"}']]],
  [
    'in two parts',
    [
      [CITATIONS_MAX - 1, '{"content":"x"}'],
      [6, '{"content":"y"}'],
    ],
  ],
] as const)
  test(`a streamed answer has no more than ${CITATIONS_MAX} citations, ${when}, and a warning`, () => {
    const call = callTo('openai-responses', true);
    const answer = new TranslatedAnswer(call, CANDIDATE, providerDialects['openai-chat'], {});
    const write = (delta: string) => {
      const [frame] = new SseSplitter().push(Buffer.from(`data: {"choices":[{"index":0,"delta":${delta}}]}\n\n`));
      assert.ok(frame);
      return answer.frame(frame)?.toString() ?? '';
    };
    let written = '';
    let count = 0;
    for (const [more, text] of pieces) {
      for (let index = 0; index < more; index += 1) {
        const page = { url: `https://tides.example/${count}` };
        written += write(JSON.stringify({ annotations: [{ type: 'url_citation', url_citation: page }] }));
        count += 1;
      }
      written += write(text);
    }
    const urls = [...written.matchAll(/annotation\.added".*?tides\.example\/(\d+)/g)].map(([, number]) =>
      Number(number),
    );
    assert.deepEqual(urls, [...urls.keys()]);
    assert.equal(urls.length, CITATIONS_MAX);
    assert.deepEqual(call.warnings, [`the citations after the first ${CITATIONS_MAX} were left out of the answer`]);
  });

/** Translates even if both formats are the same, to compare a reader with a writer. */
function open(from: Name, to: Name, showsReasoning: boolean, compares: boolean): Relay {
  const upstream = providerDialects[from];
  return new FrameRelay({
    meter: upstream.openMeter(PEEK),
    editor: new TranslatedAnswer(callTo(to, showsReasoning), CANDIDATE, upstream, upstream.usualQuirks ?? {}),
    findText: compares ? upstream.findText : undefined,
  });
}

function callTo(to: Name, showsReasoning: boolean): Admitted & Translated {
  const request = { oldFunctions: false };
  const translation = { writtenFor: () => ({ toolNames: null }), showsReasoning, hidesReasoning: false, request };
  return {
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
  const frames = STREAMS[from](pieces, padded);
  return isBinary
    ? frames.map((frame) => Buffer.from(frame.toString('latin1').replace('bc', 'b\xff'), 'latin1'))
    : frames;
}

const STREAMS: { readonly [From in Name]: (pieces: readonly Piece[], padded: boolean) => Buffer[] } = {
  'openai-chat': chunksOf,
  'anthropic-messages': eventsOf,
  'openai-responses': responseEventsOf,
  gemini: messagesOf,
};

function responseEventsOf(pieces: readonly Piece[], padded: boolean): Buffer[] {
  const frames: Buffer[] = [];
  const add = (type: string, rest: string) =>
    frames.push(event(`response.${type}`, `${rest},"sequence_number":${frames.length + 7}`));
  add('created', '"response":{"id":"r"}');
  let open: Piece['kind'] | null = null;
  let index = -1;
  for (const [at, { kind, json }] of pieces.entries()) {
    if (kind === 'other') {
      add('in_progress', '"response":{"id":"r"}');
      continue;
    }
    if (open !== kind) {
      index += 1;
      open = kind;
      const items = {
        text: '{"type":"message","id":"m","content":[]}',
        thought: '{"type":"reasoning","id":"t","summary":[]}',
        arguments: `{"type":"function_call","id":"f","call_id":"c${index}","name":"f","arguments":""}`,
      };
      add('output_item.added', `"output_index":${index},"item":${items[kind]}`);
    }
    const types = {
      text: 'output_text.delta',
      thought: 'reasoning_summary_text.delta',
      arguments: 'function_call_arguments.delta',
    };
    const padding = padded ? `,"obfuscation":"${'x'.repeat(at % 5)}"` : '';
    add(types[kind], `"output_index":${index},"content_index":0,"summary_index":0,"delta":"${json}"${padding}`);
  }
  return frames;
}

function messagesOf(pieces: readonly Piece[]): Buffer[] {
  return pieces.map(({ kind, json }, at) => {
    const parts = {
      text: `{"text":"${json}"}`,
      thought: `{"text":"${json}","thought":true}`,
      arguments: `{"functionCall":{"name":"f","args":{"a":"${json}"}}}`,
      other: at % 2 === 0 ? `{"text":"${json}","thoughtSignature":"c2ln"}` : `{"text":"a"},{"text":"${json}"}`,
    };
    const content = `{"parts":[${parts[kind]}],"role":"model"}`;
    return encodeSse(null, `{"candidates":[{"content":${content},"index":0}],"modelVersion":"up","responseId":"g"}`);
  });
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
