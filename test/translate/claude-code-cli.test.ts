/**
 * Goal: Claude Code itself, as its users set it up, does a task of several tool calls, over a provider of
 * each format. Method: the program named by CLAUDE_CODE (`node_modules/.bin/claude` of an installed
 * `@anthropic-ai/claude-code`), a running gateway, and a provider that asks for a file to be written, read,
 * and then says that it is done. Skipped, with a message, without CLAUDE_CODE.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Exchange, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { startGateway } from '../support/start-gateway.ts';

const program = process.env['CLAUDE_CODE'];
const skip = program === undefined ? 'CLAUDE_CODE does not name the program' : false;
if (skip !== false) process.stderr.write(`claude-code-cli: skipped, ${skip}\n`);

const PATIENCE_MS = 90_000;
const MODEL = 'bench/claude-model';
const LINE = 'forty-two toll gates';

interface Step {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The next thing to ask for; null when all is done. */
function nextStep(results: number, file: string): Step | null {
  if (results === 0) return { tool: 'Write', input: { file_path: file, content: `${LINE}\n` } };
  if (results === 1) return { tool: 'Read', input: { file_path: file } };
  return null;
}

describe('Claude Code', { skip }, () => {
  for (const dialect of ['openai-chat', 'anthropic-messages'] as const) {
    test(`writes a file, reads it and reports, over a provider that speaks ${dialect}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-claude-code-'));
      const file = join(folder, 'notes.txt');
      const answer = dialect === 'openai-chat' ? answerAsOpenai : answerAsAnthropic;
      const upstream = await startScriptedUpstream((exchange) => answer(exchange, file));
      const provider = {
        name: 'bench',
        kind: 'custom',
        origin: upstream.origin,
        credential: 'bench-credential',
        dialects: [dialect],
        models: [{ id: MODEL, upstream: 'bench-1', prices: { input: 1, output: 5 } }],
      };
      const gateway = await startGateway({ config: { providers: [provider] } });
      try {
        const { code, output } = await runClaudeCode(gateway.url, gateway.key, folder);
        assert.equal(code, 0, output);
        assert.match(output, /all is done/);
        assert.equal(readFileSync(file, 'utf8'), `${LINE}\n`);
        const last = JSON.stringify(upstream.exchanges.at(-1)?.json);
        assert.ok(last.includes(LINE), 'what was read was sent to the model');
      } finally {
        await gateway.stop();
        await upstream.close();
        rmSync(folder, { recursive: true });
      }
    });
  }
});

async function runClaudeCode(url: string, key: string, folder: string): Promise<{ code: number; output: string }> {
  const parameters = ['-p', 'Write the note and read it back.', '--model', MODEL, '--allowedTools', 'Write', 'Read'];
  const child = spawn(program ?? '', parameters, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_API_KEY: '',
      ANTHROPIC_SMALL_FAST_MODEL: MODEL,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: MODEL,
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code: code ?? -1, output };
}

async function answerAsOpenai(exchange: Exchange, file: string): Promise<void> {
  const { messages = [], tools = [] } = exchange.json as { messages?: { role: string }[]; tools?: unknown[] };
  const results = messages.filter(({ role }) => role === 'tool').length;
  const step = tools.length === 0 ? null : nextStep(results, file);
  const head = { id: 'chatcmpl-cli', object: 'chat.completion.chunk', created: 1, model: 'bench-1' };
  const say = (delta: object, finish: string | null) =>
    exchange.chunk(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  await exchange.openStream();
  await say({ role: 'assistant', content: '' }, null);
  if (step === null) {
    await say({ content: 'all is done' }, null);
    await say({}, 'stop');
  } else {
    const call = { index: 0, id: `call_${results}`, type: 'function', function: { name: step.tool, arguments: '' } };
    await say({ content: 'One moment.' }, null);
    await say({ tool_calls: [call] }, null);
    const text = JSON.stringify(step.input);
    for (const piece of [text.slice(0, 9), text.slice(9)])
      await say({ tool_calls: [{ index: 0, function: { arguments: piece } }] }, null);
    await say({}, 'tool_calls');
  }
  const usage = { prompt_tokens: 900, completion_tokens: 20, total_tokens: 920 };
  await exchange.chunk(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`);
  await exchange.chunk('data: [DONE]\n\n');
  await exchange.lastChunk();
}

async function answerAsAnthropic(exchange: Exchange, file: string): Promise<void> {
  const { messages = [], tools = [] } = exchange.json as { messages?: unknown[]; tools?: unknown[] };
  const results = JSON.stringify(messages).split('"type":"tool_result"').length - 1;
  const step = tools.length === 0 ? null : nextStep(results, file);
  const say = (data: { type: string; [field: string]: unknown }) =>
    exchange.chunk(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  const message = { id: 'msg_cli', type: 'message', role: 'assistant', model: 'bench-1', content: [] };
  await exchange.openStream();
  const usage = { input_tokens: 900, output_tokens: 1 };
  await say({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } });
  const block =
    step === null
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${results}`, name: step.tool, input: {} };
  const delta =
    step === null
      ? { type: 'text_delta', text: 'all is done' }
      : { type: 'input_json_delta', partial_json: JSON.stringify(step.input) };
  await say({ type: 'content_block_start', index: 0, content_block: block });
  await say({ type: 'content_block_delta', index: 0, delta });
  await say({ type: 'content_block_stop', index: 0 });
  const reason = step === null ? 'end_turn' : 'tool_use';
  await say({
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 20 },
  });
  await say({ type: 'message_stop' });
  await exchange.lastChunk();
}
