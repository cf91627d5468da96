/**
 * Goal: whatever is left out of an answer is reported, and nothing else is. Method: messages that each have one thing that cannot be
 * expressed elsewhere, read whole and as a stream; blocks that this format cannot express, written both ways.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerBlock, ChatEvent, Citation } from '../../../chat/response.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { readFixture, streamNames } from '../fixtures/read-fixture.ts';
import { answerOf, context, readStream, streamOf, writeStream } from './answer-fixture.ts';
import { NO_REASON } from './finish-reason.ts';
import { readResponse } from './read-response.ts';
import { writeResponse } from './write-response.ts';

const SERVER_BLOCKS = [
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'container_upload',
  'compaction',
  'fallback',
  'lantern',
];
const text = { type: 'text', text: 'Ahoy' };
const noPage = 'a citation without a URL was left out of the answer';
const paged = { type: 'web_search_result_location', url: 'https://tides.example/', cited_text: 'High' };
const inDocument = (type: string) => ({ type, cited_text: 'Low', document_index: 0 });

/** Fields of the whole message; in a stream they arrive with its end. */
const MESSAGE_LOSSES: readonly (readonly [fields: Fields, warnings: readonly string[]])[] = [
  [{ container: { id: 'container_1' } }, ['the field "container" of the answer was left out']],
  [
    { context_management: { applied_edits: [{ type: 'clear_thinking' }] } },
    ['the field "context_management" of the answer was left out'],
  ],
  [
    { stop_details: { type: 'refusal', category: 'cyber', explanation: 'No.' } },
    ['the field "category" of a refusal was left out'],
  ],
  [{ container: null, context_management: { applied_edits: [] }, stop_details: null }, []],
  [{ stop_details: { type: 'refusal', category: null, explanation: 'No.' } }, []],
];

describe('what other formats cannot express', () => {
  for (const type of SERVER_BLOCKS) {
    test(`a block ${type} is reported, whole and streamed`, () => {
      const warning = `a block "${type}" was left out of the answer`;
      assert.deepEqual(bothWays([{ type, id: 'srvtoolu_1', content: [] }, text, { type }]), [warning]);
    });
  }

  test('a citation without a URL is reported', () => {
    for (const type of ['char_location', 'page_location', 'content_block_location', 'lantern_location']) {
      assert.deepEqual(bothWays([{ ...text, citations: [paged, inDocument(type)] }]), [noPage], type);
    }
    assert.deepEqual(bothWays([{ ...text, citations: [paged] }]), []);
    const late = { type: 'citations_delta', citation: inDocument('char_location') };
    assert.deepEqual(streamWarnings([text], {}, late), [noPage]);
  });

  test('a tool call by code is reported, one by the model is not', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'tide', input: {} };
    assert.deepEqual(bothWays([{ ...call, caller: { type: 'direct' } }]), []);
    assert.deepEqual(bothWays([{ ...call, caller: { type: 'code_execution_20250825', tool_id: 's' } }]), [
      'the field "caller" of a tool call was left out',
    ]);
  });

  for (const [fields, warnings] of MESSAGE_LOSSES) {
    test(`of ${JSON.stringify(fields)} ${warnings.length === 0 ? 'nothing' : 'what is left out'} is reported`, () => {
      assert.deepEqual(bothWays([text], fields), warnings);
    });
  }

  test('a container that is known at the start is reported', () => {
    const message = { id: 'msg_1', container: { id: 'container_1' } };
    const events = readStream(streamOf({ type: 'message_start', message }));
    assert.deepEqual(
      events.slice(0, 2).map(({ type }) => type),
      ['start', 'warning'],
    );
  });

  test('unknown parts and events are reported, and a ping is not', () => {
    assert.deepEqual(streamWarnings([text], {}, { type: 'flare_delta', flare: 1 }), [
      'a part of a block "flare_delta" was left out of the answer',
    ]);
    const events = readStream(streamOf({ type: 'ping' }, { type: 'flare' }));
    assert.deepEqual(events.slice(0, 2), [
      { type: 'start', id: null, usage: null },
      { type: 'warning', text: 'a stream event "flare" was left out of the answer' },
    ]);
  });

  test('a provider may start again if only a warning came before', () => {
    const start = { type: 'message_start', message: { id: 'msg_1', container: { id: 'container_1' } } };
    const events = readStream(streamOf(start, start, ...payloadsOf([text], {}).slice(1)));
    assert.equal(events.at(-1)?.type, 'end');
  });

  test('ordinary answers have no warnings', () => {
    const lossy = ['server-tools.sse', 'compaction.sse', 'refusal.sse'];
    for (const name of streamNames) {
      assert.equal(warningsOf(readStream(readFixture(name))).length > 0, lossy.includes(name), name);
    }
    assert.deepEqual(readResponse(readFixture('text.json'))?.warnings, []);
  });
});

describe('what this format cannot express', () => {
  const citation: Citation = { url: 'https://tides.example/', title: 'Tides', quote: '', start: null, end: null };
  const placed: Citation = { ...citation, start: 0, end: 4 };

  for (const [what, words, cited, warnings] of [
    ['a citation', 'Ahoy', citation, []],
    ['the place of a citation', 'Ahoy', placed, ['this format cannot express where in its text a citation belongs']],
    ['a citation without text', '', citation, ['a citation without a text was left out of the answer']],
  ] as const) {
    test(`${what} is ${warnings.length === 0 ? 'written' : 'reported'}, whole and streamed`, () => {
      const block: AnswerBlock = { type: 'text', text: words, citations: [cited] };
      assert.deepEqual(writtenWhole([block]), warnings);
      assert.deepEqual(
        writtenStream([
          { type: 'text', text: words },
          { type: 'citation', citation: cited },
        ]),
        warnings,
      );
      assert.deepEqual(
        writtenStream([
          { type: 'citation', citation: cited },
          { type: 'text', text: words },
        ]),
        warnings,
      );
    });
  }

  test('a warning is not part of a stream', () => {
    assert.equal(writeStream([{ type: 'warning', text: 'lost' }]).length, 0);
  });
});

type Fields = Readonly<Record<string, unknown>>;

/** The warnings of an answer; fails if those of the whole answer and of the stream differ. */
function bothWays(content: readonly Fields[], fields: Fields = {}): readonly string[] {
  const message = { type: 'message', content, stop_reason: 'end_turn', ...fields };
  const whole = readResponse(Buffer.from(JSON.stringify(message)))?.warnings ?? [];
  assert.deepEqual(streamWarnings(content, fields), whole);
  return whole;
}

/** `delta` comes inside the last block. */
function streamWarnings(content: readonly Fields[], fields: Fields, delta?: Fields): readonly string[] {
  const payloads = payloadsOf(content, fields);
  const lastStop = payloads.findLastIndex(({ type }) => type === 'content_block_stop');
  const part = { type: 'content_block_delta', index: content.length - 1, delta };
  const events = readStream(streamOf(...(delta === undefined ? payloads : payloads.toSpliced(lastStop, 0, part))));
  assert.equal(events.at(-1)?.type, 'end');
  return warningsOf(events);
}

function payloadsOf(content: readonly Fields[], { context_management, ...fields }: Fields) {
  const blocks = content.flatMap((content_block, index) => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_stop', index },
  ]);
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn', ...fields }, context_management };
  return [{ type: 'message_start', message: { id: 'msg_1' } }, ...blocks, end, { type: 'message_stop' }];
}

/** Without repeats. */
function warningsOf(events: readonly ChatEvent[]): readonly string[] {
  return [...new Set(events.flatMap((event) => (event.type === 'warning' ? [event.text] : [])))];
}

function ownContext(): WriteContext {
  return { ...context, warnings: new Set() };
}

function writtenWhole(blocks: readonly AnswerBlock[]): readonly string[] {
  const own = ownContext();
  writeResponse({ id: null, blocks, finish: NO_REASON, usage: null, warnings: [] }, own);
  return [...own.warnings];
}

function writtenStream(inText: readonly ChatEvent[]): readonly string[] {
  const own = ownContext();
  writeStream(answerOf([{ type: 'block_start', block: { type: 'text' } }, ...inText, { type: 'block_end' }]), own);
  return [...own.warnings];
}
