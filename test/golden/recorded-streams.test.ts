/**
 * Goal: a recorded answer says the same in the other format, and an ordinary one loses nothing. Method: streams that are not part of the project, from
 * `TURNPIKE_RECORDINGS` (skipped with a message if absent), are translated, and the translation is read again.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ChatEvent } from '../../src/chat/response.ts';
import { completionTokens, promptTokens } from '../../src/core/usage.ts';
import type { RelayDialect } from '../../src/dialects/dialect.ts';
import type { RelayDialectName } from '../../src/dialects/index.ts';
import { relayDialects } from '../../src/dialects/index.ts';
import { encodeSse, SseSplitter } from '../../src/wire/frames/sse-splitter.ts';
import { dialectNames, otherThan } from './fixtures.ts';
import { translateStream } from './translate.ts';

const folder =
  process.env['TURNPIKE_RECORDINGS'] ?? fileURLToPath(new URL('../../../shared/data/recorded', import.meta.url));
const skip = existsSync(folder) ? false : `no recordings at ${folder}; set TURNPIKE_RECORDINGS`;

for (const name of dialectNames) {
  test(`${name}: recorded streams say the same in the other format`, { skip }, (context) => {
    const to = relayDialects[otherThan(name)];
    let seen = 0;
    for (const { file, bytes } of recordedStreams(name)) {
      const before = said(relayDialects[name], bytes);
      // A stream that broke off is an error in both formats; the golden tests show how.
      if (before === null) continue;
      seen += 1;
      const translated = translateStream(relayDialects[name], to, bytes);
      if (!LOSSY.test(bytes.toString())) assert.deepEqual(translated.warnings, [], file);
      const after = said(to, translated.bytes);
      // The Messages API cannot leave the usage out.
      assert.deepEqual(before.usage === null ? { ...after, usage: null } : after, before, file);
    }
    assert.ok(seen >= 10, `only ${seen} streams were found`);
    context.diagnostic(`${seen} recorded streams`);
  });
}

/** Blocks, and a refusal's details, that only the Messages API has: their warnings are tested where they are read. */
const LOSSY = /"(server_tool_use|mcp_tool_use|compaction|fallback|tool_search_tool_result)"|"stop_details": ?\{/;

interface Said {
  readonly text: string;
  readonly reasoning: string;
  readonly signatures: readonly string[];
  readonly calls: readonly { readonly id: string; readonly name: string; readonly json: string }[];
  readonly usage: object | null;
}

/** What a stream says, read by its own reader; null if it does not end properly. */
function said(dialect: RelayDialect, stream: Buffer): Said | null {
  const reader = dialect.openReader();
  const events = [...new SseSplitter().push(stream).flatMap((frame) => reader.frame(frame)), ...reader.end()];
  const end = events.findLast((event) => event.type === 'end');
  if (end?.type !== 'end') return null;
  const { usage } = end;
  return {
    text: joined(events, 'text'),
    reasoning: joined(events, 'reasoning'),
    signatures: events.flatMap((event) => (event.type === 'signature' ? [event.signature] : [])),
    calls: callsOf(events),
    usage: usage === null ? null : { prompt: promptTokens(usage), completion: completionTokens(usage) },
  };
}

function joined(events: readonly ChatEvent[], type: 'text' | 'reasoning'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}

/** A call without arguments may come as an empty object or as nothing. */
function callsOf(events: readonly ChatEvent[]): Said['calls'] {
  const calls: { id: string; name: string; json: string }[] = [];
  for (const event of events) {
    if (event.type === 'block_start' && event.block.type === 'tool_call') {
      calls.push({ id: event.block.id, name: event.block.name, json: '' });
    }
    const last = calls.at(-1);
    if (event.type === 'arguments' && last !== undefined) last.json += event.json;
  }
  return calls.map((call) => ({ ...call, json: call.json || '{}' }));
}

function recordedStreams(format: RelayDialectName): readonly { readonly file: string; readonly bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(sse|chunks\.txt)$/.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
    .filter(({ text }) => formatOf(text) === format)
    .map(({ file, text }) => ({ file, bytes: file.endsWith('.sse') ? Buffer.from(text) : framed(text, format) }));
}

function formatOf(stream: string): RelayDialectName | null {
  if (/"type": ?"message_start"/.test(stream)) return 'anthropic-messages';
  return /"choices":/.test(stream) && !/"type": ?"response\./.test(stream) ? 'openai-chat' : null;
}

/** `.chunks.txt` holds one payload a line, without the framing. */
function framed(chunks: string, format: RelayDialectName): Buffer {
  const lines = chunks.split('\n').filter((line) => line.trim() !== '');
  return Buffer.concat(
    lines.map((line) => encodeSse(format === 'anthropic-messages' ? JSON.parse(line).type : null, line)),
  );
}
