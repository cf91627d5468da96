/**
 * Goal: real text completions are metered and edited without loss. Method: recordings that are not part of the project, from
 * `TURNPIKE_RECORDINGS`; without them the tests are skipped.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import { encodeSse, SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { inboundOf, runStream } from '../../contract.ts';
import { plainContext } from '../../contract-fixture.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { openaiChat } from '../openai-chat.ts';
import { completions } from './completions.ts';

const recordings =
  process.env['TURNPIKE_RECORDINGS'] ?? fileURLToPath(new URL('../../../../../shared/data/recorded', import.meta.url));
const folder = join(recordings, 'openai-completions');
const skip = existsSync(folder) ? false : `no recordings at ${folder}; set TURNPIKE_RECORDINGS`;

interface Chunk {
  readonly model?: string;
  readonly choices: readonly { readonly text: string }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}

test('recorded streams lose nothing', { skip }, () => {
  const files = readdirSync(folder).filter((file) => /\.sse$|\.chunks\.txt$/.test(file));
  assert.ok(files.length > 0);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    const bytes = file.endsWith('.sse')
      ? Buffer.from(text)
      : Buffer.concat([...text.trim().split('\n'), '[DONE]'].map((line) => encodeSse(null, line)));
    const dialect = { ...openaiChat, openRelay: completions.openRelay };
    const peek = completions.peek(inboundOf(openaiChat, '{"model":"mine/x","prompt":"x","stream":true}'));
    const run = (pieces: readonly Buffer[]) =>
      runStream(dialect, pieces, peek, { callerModel: 'mine/x', cost: () => '0.5' });
    const { output, metered } = run([bytes]);
    assert.equal(metered.state, 'finished', file);
    assert.equal(metered.outputBytes, Buffer.byteLength(textOf(bytes)), file);
    assert.equal(textOf(output), textOf(bytes), file);
    assertUsage(chunksOf(bytes), metered.usage, file);
    for (const chunk of chunksOf(output)) {
      assert.notEqual(chunk.usage, null, file);
      assert.equal(chunk.model, 'mine/x', file);
    }
    assert.deepEqual(run(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))), { output, metered }, file);
  }
});

test('recorded answers lose nothing', { skip }, () => {
  let seen = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const json = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const bodies: readonly Chunk[] = Array.isArray(json) ? json.map((exchange) => exchange.response.body) : [json];
    for (const body of bodies.filter((each) => each !== undefined)) {
      seen += 1;
      const peek = completions.peek(inboundOf(openaiChat, '{"model":"mine/x","prompt":"x"}'));
      const { meter } = completions.openRelay(peek, plainContext('mine/x'));
      meter.body(new WholeAnswer(Buffer.from(JSON.stringify(body))));
      assert.equal(meter.state, 'finished', file);
      assert.equal(
        meter.delivered().outputBytes,
        Buffer.byteLength(body.choices.map(({ text }) => text).join('')),
        file,
      );
      assertUsage([body], meter.usage(), file);
    }
  }
  assert.ok(seen >= 2, `only ${seen} answers were found`);
});

function chunksOf(bytes: Buffer): Chunk[] {
  return new SseSplitter()
    .push(bytes)
    .filter(({ data }) => data?.[0] === 0x7b)
    .map(({ data }) => JSON.parse(String(data)));
}

function textOf(bytes: Buffer): string {
  return chunksOf(bytes)
    .flatMap(({ choices }) => choices.map(({ text }) => text))
    .join('');
}

function assertUsage(chunks: readonly Chunk[], usage: Parameters<typeof promptTokens>[0] | null, file: string): void {
  const last = chunks.findLast((chunk) => chunk.usage !== null && chunk.usage !== undefined)?.usage;
  if (last === undefined || last === null) return assert.equal(usage, null, file);
  assert(usage !== null, `${file}: the usage was lost`);
  assert.deepEqual([promptTokens(usage), completionTokens(usage)], [last.prompt_tokens, last.completion_tokens], file);
}
