/**
 * Goal: each family of models gets what it takes, and what is left out or changed is said. Method: requests that differ by family, and values
 * at the limits of the format; the golden tests have the rest.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatRequest, TextBlock, Turn } from '../../../chat/request.ts';
import { PLAIN_REQUEST } from '../../../chat/request-fixture.ts';
import { quirksOfModel, usualQuirks } from '../quirks.ts';
import { counter } from './write-count.ts';
import { writeRequest } from './write-request.ts';

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const NOVA = 'us.amazon.nova-2-lite-v1:0';
const LLAMA = 'us.meta.llama3-3-70b-instruct-v1:0';
const TITAN = 'amazon.titan-text-express-v1';

const text = (words: string, cache: TextBlock['cache'] = null): TextBlock => ({ type: 'text', text: words, cache });
const user = (...blocks: Extract<Turn, { role: 'user' }>['blocks']): Turn => ({ role: 'user', blocks });
const tool = { name: 'look', description: '', schema: { type: 'object' }, strict: null, cache: null } as const;
const pdf = (name: string | null, cache: TextBlock['cache'] = null) =>
  ({
    type: 'document',
    source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
    name,
    context: null,
    citations: false,
    cache,
  }) as const;

const least: ChatRequest = { ...PLAIN_REQUEST, turns: [user(text('Ahoy'))], outputCap: 5_000 };

function targetOf(upstreamModel: string) {
  const quirks = { ...usualQuirks, ...quirksOfModel(upstreamModel) };
  const sampling = ['temperature', 'top_p', 'top_k'] as const;
  return { upstreamModel, outputCap: null, parameters: null, efforts: null, sampling, quirks };
}

function write(fields: Partial<ChatRequest>, model = CLAUDE) {
  const { body, warnings } = writeRequest({ ...least, ...fields }, targetOf(model));
  const { messages, system, inferenceConfig, toolConfig, additionalModelRequestFields } = JSON.parse(
    JSON.stringify(body),
  );
  return { messages, system, inferenceConfig, toolConfig, fields: additionalModelRequestFields, warnings };
}

test('top_k is a field of the family, or is left out', () => {
  assert.deepEqual(write({ topK: 5 }).fields, { top_k: 5 });
  assert.deepEqual(write({ topK: 5 }, NOVA).fields, { inferenceConfig: { topK: 5 } });
  const other = write({ topK: 5 }, LLAMA);
  assert.deepEqual([other.fields, other.warnings.length], [undefined, 1]);
});

test('a newer Claude gets one of temperature and top_p, other models both', () => {
  const both = { temperature: 0.5, topP: 0.9 };
  assert.deepEqual(write(both).inferenceConfig, { maxTokens: 5_000, temperature: 0.5 });
  assert.deepEqual(write(both, NOVA).inferenceConfig, { maxTokens: 5_000, temperature: 0.5, topP: 0.9 });
  assert.deepEqual(write(both, 'anthropic.claude-opus-4-7').inferenceConfig, { maxTokens: 5_000 });
});

test('an effort is asked for as the family takes it; Nova takes no cap with its highest', () => {
  const reasoning = { effort: 'high', budget: null, adaptive: false, hidden: false } as const;
  assert.deepEqual(write({ reasoning }).fields, { thinking: { type: 'enabled', budget_tokens: 4_000 } });
  assert.deepEqual(write({ reasoning }, 'openai.gpt-oss-120b-1:0').fields, { reasoning_effort: 'high' });
  const nova = write({ reasoning }, NOVA);
  assert.deepEqual(nova.fields, { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } });
  assert.equal(nova.warnings.length, 1);
  for (const model of [LLAMA, 'us.amazon.nova-pro-v1:0', 'arn:aws:bedrock:x:1:provisioned-model/a'])
    assert.deepEqual(write({ reasoning }, model).warnings, [
      'reasoning was left out, because it is not known how this model takes it',
    ]);
  const off = { ...reasoning, effort: 'none' } as const;
  assert.deepEqual(write({ reasoning: off }, LLAMA).warnings, []);
  assert.deepEqual(write({ reasoning: off }, NOVA).fields, { reasoningConfig: { type: 'disabled' } });
  const always = write({ reasoning: off }, 'openai.gpt-oss-120b-1:0');
  assert.deepEqual(always.fields, { reasoning_effort: 'low' });
  assert.deepEqual(always.warnings.length, 1);
});

test('a model without separate instructions gets them as the first words of its user', () => {
  const { messages, system, warnings } = write({ system: [text('Be brief.')], format: { type: 'json_object' } }, TITAN);
  assert.equal(system, undefined);
  assert.deepEqual(
    messages[0].content.map((block: { text: string }) => block.text.slice(0, 11)),
    ['Be brief.', 'Answer with', 'Ahoy'],
  );
  assert.equal(warnings.length, 2);
});

test('a call is forced only of models that can be; none that may be called are not sent', () => {
  const required = { tools: [tool], toolChoice: { type: 'required' } } as const;
  const named = { tools: [tool], toolChoice: { type: 'tool', name: 'look' } } as const;
  assert.deepEqual(write(required, LLAMA).toolConfig.toolChoice, { any: {} });
  assert.deepEqual(write(named, NOVA).toolConfig.toolChoice, { tool: { name: 'look' } });
  assert.throws(() => write(named, LLAMA), { code: 'unsupported_value', param: 'tool_choice' });
  assert.throws(() => write({ tools: [{ ...tool, name: '' }] }), { code: 'invalid_value' });
  assert.equal(write({ tools: [tool], toolChoice: { type: 'none' } }).toolConfig, undefined);
  // Its description is not sent empty.
  assert.deepEqual(Object.keys(write({ tools: [tool] }).toolConfig.tools[0].toolSpec), ['name', 'inputSchema']);
});

test('none of the tools may be called, but the history has calls: the model gets an instruction', () => {
  const turns: Turn[] = [
    user(text('Ahoy')),
    { role: 'assistant', blocks: [{ type: 'tool_call', id: 'a', name: 'look', input: {}, cache: null }] },
    user({ type: 'tool_result', callId: 'a', content: [text('fog')], isError: false, cache: null }),
  ];
  const { toolConfig, system, warnings } = write({ turns, tools: [tool], toolChoice: { type: 'none' } });
  assert.equal(toolConfig.toolChoice, undefined);
  assert.deepEqual(system, [{ text: 'Do not call any tool; answer in words.' }]);
  assert.deepEqual(warnings, ['tool_choice none was sent as an instruction: this format cannot forbid calls']);
});

test('cache points stand where the model takes them, and last an hour where it can', () => {
  const fields = { system: [text('Be brief.', '1h')], tools: [{ ...tool, cache: '5m' as const }] };
  const claude = write(fields);
  assert.deepEqual(claude.system[1], { cachePoint: { type: 'default', ttl: '1h' } });
  assert.deepEqual(claude.toolConfig.tools[1], { cachePoint: { type: 'default' } });
  const nova = write(fields, NOVA);
  assert.deepEqual([nova.system[1], nova.toolConfig.tools.length], [{ cachePoint: { type: 'default' } }, 1]);
  assert.equal(nova.warnings.length, 2);
  const llama = write(fields, LLAMA);
  assert.deepEqual([llama.system.length, llama.warnings.length], [1, 1]);
});

test('only the last four cache points are sent, wherever the first ones stood', () => {
  const many = Array.from({ length: 3 }, (_, index) => text(`part ${index}`, '5m'));
  const { system, messages, warnings } = write({ system: many, turns: [user(...many)] });
  const points = (blocks: object[]) => blocks.map((block) => 'cachePoint' in block);
  assert.deepEqual(points(system), [false, false, false, true]);
  assert.deepEqual(points(messages[0].content), [false, true, false, true, false, true]);
  assert.deepEqual(warnings, ['only the last 4 cache marks were sent']);
});

test('a document has a clean name of its own, a text in its message, and no cache point directly after it', () => {
  const names = ['Q3_report (final).pdf', 'Q3_report (final).pdf', null, '   ', 'a\t\n b', 'é'.repeat(300)];
  const { messages } = write({ turns: [user(...names.map((name) => pdf(name)), pdf('last', '5m'))] });
  const content: { document?: { name: string }; text?: string }[] = messages[0].content;
  assert.deepEqual(
    content.flatMap(({ document }) => (document ? [document.name] : [])),
    ['Q3-report (final)-pdf', 'Q3-report (final)-pdf (2)', 'Document', 'Document (2)', 'a b', '-'.repeat(180), 'last'],
  );
  assert.deepEqual(content.slice(-3), [{ text: '\n' }, { cachePoint: { type: 'default' } }, { text: '.' }]);
});

test('a file of an unknown type, and one by its address, are refused', () => {
  const source = { type: 'base64', mediaType: 'application/zip', data: 'UEs=' } as const;
  assert.throws(() => write({ turns: [user({ ...pdf('x'), source })] }), { code: 'unsupported_value' });
  const address = { type: 'url', url: 'https://a.example/x.pdf' } as const;
  assert.throws(() => write({ turns: [user({ ...pdf('x'), source: address })] }), { code: 'unsupported_value' });
  const sound = { type: 'audio', data: 'UklGRg==', format: 'aiff', cache: null } as const;
  assert.throws(() => write({ turns: [user(sound)] }), { code: 'unsupported_value' });
});

test("Claude's thoughts are sent to Claude only", () => {
  const thought = {
    type: 'reasoning',
    text: 'Hm.',
    signature: 's',
    encrypted: null,
    origin: 'anthropic-claude-v1',
  } as const;
  const turns: Turn[] = [user(text('Ahoy')), { role: 'assistant', blocks: [thought, text('Aye')] }, user(text('So?'))];
  assert.deepEqual(write({ turns }).messages[1].content[0], {
    reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } },
  });
  const nova = write({ turns }, NOVA);
  assert.deepEqual(nova.messages[1].content, [{ text: 'Aye' }]);
  assert.deepEqual(nova.warnings, ['reasoning was left out of earlier turns, since this provider does not accept it']);
});

test('users take turns with the assistant, whatever is left out of the turns between', () => {
  const foreign = { type: 'reasoning', text: 'Hm.', signature: 's', encrypted: null, origin: 'x' } as const;
  const turns: Turn[] = [
    user(text('one')),
    { role: 'assistant', blocks: [foreign] },
    { role: 'system', blocks: [text('Be brief.')] },
    user(text('two')),
    { role: 'assistant', blocks: [text('Aye')] },
    user(text('  ')),
    { role: 'assistant', blocks: [text('Aye, aye')] },
    user(text('three')),
  ];
  assert.deepEqual(
    write({ turns }).messages.map(({ role, content }: { role: string; content: object[] }) => [role, content.length]),
    [
      ['user', 3],
      ['assistant', 2],
      ['user', 1],
    ],
  );
});

test('the length of a prompt is asked for with its prompt alone', () => {
  const { body } = counter.writeRequest({ ...least, system: [text('Be brief.')], tools: [tool] }, targetOf(CLAUDE));
  const { converse } = JSON.parse(JSON.stringify(body)).input;
  assert.deepEqual(Object.keys(converse), ['messages', 'system', 'toolConfig']);
  assert.equal(counter.readCount(Buffer.from('{"inputTokens":375}')), 375);
  for (const other of ['{"inputTokens":-1}', '{"message":"no"}', '<html>'])
    assert.equal(counter.readCount(Buffer.from(other)), null);
});
