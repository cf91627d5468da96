/**
 * Goal: an error is refused, and a loss reported, alike in both directions between the two oldest formats. Method: one request in each
 * format for each rule, written for the other one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTarget } from './targets.ts';
import { type Refused, translateRequest, type Written } from './translate.ts';

/** The two oldest formats, each of which has most of what the other has. */
type Format = 'openai-chat' | 'anthropic-messages';

const HI = { role: 'user', content: 'hi' };

test('an empty turn to answer is refused, instead of continuing the previous answer', () => {
  const messages = (content: unknown) => [HI, { role: 'assistant', content: 'a' }, { role: 'user', content }];
  for (const from of ['openai-chat', 'anthropic-messages'] as const) {
    for (const content of ['', ' \n', [{ type: 'text', text: '' }]]) {
      assert.deepEqual(refusal(translate(from, { messages: messages(content) })), [
        'invalid_value',
        'messages[2].content',
      ]);
    }
    assert.equal(translate(from, { messages: [HI, { role: 'user', content: '' }] }).type, 'written');
    assert.equal(translate(from, { messages: messages('').slice(0, 2) }).type, 'written');
    assert.equal(translate(from, { messages: [...messages(''), HI] }).type, 'written');
  }
});

test('two tools with one name are refused', () => {
  const tools = [openAiTool('f'), openAiTool('g'), openAiTool('f')];
  assert.deepEqual(refusal(translate('openai-chat', { tools })), ['invalid_value', 'tools[2]']);
  const functions = [{ name: 'f' }];
  assert.deepEqual(refusal(translate('openai-chat', { tools: tools.slice(0, 2), functions })), [
    'invalid_value',
    'functions[0]',
  ]);
  const named = ['f', 'g', 'f'].map(anthropicTool);
  assert.deepEqual(refusal(translate('anthropic-messages', { tools: named })), ['invalid_value', 'tools[2].name']);
});

test('a choice of tools without a tool is refused', () => {
  const tools = [anthropicTool('f')];
  const refused = (fields: object) => refusal(translate('anthropic-messages', fields))?.[1];
  assert.equal(refused({ tool_choice: { type: 'any' } }), 'tool_choice');
  assert.equal(refused({ tools, tool_choice: { type: 'tool', name: 'g' } }), 'tool_choice.name');
  assert.equal(refused({ tools, tool_choice: { type: 'tool', name: 'f' } }), undefined);
  assert.equal(refused({ tool_choice: { type: 'auto' } }), undefined);
});

test('unknown fields inside messages, parts and tools are reported', () => {
  const warned = warnings('openai-chat', {
    messages: [{ role: 'user', tide: 1, content: [{ type: 'text', text: 'hi', tide: 1 }] }],
    tools: [{ ...openAiTool('f'), tide: 1 }],
    functions: [{ name: 'g', tide: 1 }],
  });
  for (const place of ['messages[]', 'messages[].content[]', 'tools[]', 'tools[].function']) {
    assert.ok(
      warned.includes(`${place}.tide cannot be passed on to this provider and was left out`),
      warned.join('\n'),
    );
  }
  const back = warnings('anthropic-messages', {
    messages: [{ role: 'user', tide: 1, content: [{ type: 'text', text: 'hi', tide: 1 }] }],
    tools: [{ ...anthropicTool('f'), tide: 1 }],
  });
  for (const place of ['messages[]', 'messages[].content[]', 'tools[]']) {
    assert.ok(back.includes(`${place}.tide is not supported by this provider and was left out`), back.join('\n'));
  }
});

test('empty stop sequences, white space after a prefilled answer, and a second thinking option are reported', () => {
  assert.deepEqual(warnings('openai-chat', { stop: '' }), ['empty stop sequences were left out']);
  assert.deepEqual(warnings('anthropic-messages', { stop_sequences: ['', 'x'] }), [
    'empty stop sequences were left out',
  ]);
  assert.equal(warnings('openai-chat', { messages: [HI, { role: 'assistant', content: 'a ' }] }).length, 1);
  const both = { reasoning: { effort: 'high', max_tokens: 2_000 } };
  assert.deepEqual(warnings('openai-chat', both), ['the effort was left out: the budget is used instead']);
  const thinking = { type: 'enabled', budget_tokens: 2_000 };
  assert.deepEqual(warnings('anthropic-messages', { thinking, output_config: { effort: 'high' } }), [
    'the thinking budget was left out: the effort is used instead',
  ]);
});

test('a map in an answer’s schema is requested in the prompt, or refused if it must be followed', () => {
  const schema = { type: 'object', additionalProperties: { type: 'integer' } };
  const format = (strict: boolean | null) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'x', strict, schema } },
  });
  for (const strict of [null, false]) {
    const written = translate('openai-chat', format(strict));
    assert.ok(written.type === 'written' && written.warnings.length === 1);
    const body = written.body as { system: { text: string }[]; output_config?: unknown };
    assert.equal(body.output_config, undefined);
    assert.ok(body.system[0]?.text.includes(JSON.stringify(schema)));
  }
  assert.deepEqual(refusal(translate('openai-chat', format(true))), [
    'unsupported_value',
    'response_format.json_schema.schema',
  ]);
  const tool = (strict: boolean) => ({ type: 'function', function: { name: 'f', strict, parameters: schema } });
  assert.deepEqual(refusal(translate('openai-chat', { tools: [tool(true)] })), ['unsupported_value', 'tools[0]']);
  const loose = translate('openai-chat', { tools: [tool(false)] });
  assert.ok(loose.type === 'written' && loose.warnings.length === 0);
});

test('a penalty of 0 is dropped without a warning', () => {
  assert.deepEqual(warnings('openai-chat', { frequency_penalty: 0, presence_penalty: 0, logit_bias: {} }), []);
  assert.equal(warnings('openai-chat', { frequency_penalty: 0.1, seed: 0 }).length, 2);
});

test('the description of an answer schema is passed on', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
  const json_schema = { name: 'x', description: 'One tide.', schema, strict: true };
  const written = translate('openai-chat', { response_format: { type: 'json_schema', json_schema } });
  assert.ok(written.type === 'written' && written.warnings.length === 0);
  assert.ok(JSON.stringify(written.body).includes('"description":"One tide."'));
});

function translate(from: Format, fields: object): Written | Refused {
  const request = { model: 'm', max_tokens: 4_000, messages: [HI], ...fields };
  const to = from === 'openai-chat' ? 'anthropic-messages' : 'openai-chat';
  return translateRequest({ name: 'x', about: 'x', from, request }, to, openTarget);
}

function refusal(translated: Written | Refused): readonly [string, string | null] | null {
  return translated.type === 'refused' ? [translated.code, translated.param] : null;
}

function warnings(from: Format, fields: object): readonly string[] {
  const translated = translate(from, fields);
  assert.ok(translated.type === 'written', JSON.stringify(translated));
  return translated.warnings;
}

function openAiTool(name: string) {
  return { type: 'function', function: { name } };
}

function anthropicTool(name: string) {
  return { name, input_schema: { type: 'object', properties: {} } };
}
