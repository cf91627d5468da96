/**
 * Goal: images, documents and answer schemas arrive in a form the provider takes. Method: the official
 * packages send them; the strict providers refuse what is malformed, and what they received is checked.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import OpenAI from 'openai';
import { STRUCTURED_TEXT } from '../support/strict-commands.ts';
import { type JsonObject, listOf } from '../support/strict-server.ts';
import { CLAUDE, CLAUDE_NEWEST, GPT, openTranslateBench, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');
const PICTURE = 'https://example.com/cat.jpg';
const say = { type: 'text' as const, text: 'say seen' };

const openaiParts = {
  data: { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
  address: { type: 'image_url', image_url: { url: PICTURE } },
  pdf: { type: 'file', file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
} as const satisfies Record<string, OpenAI.ChatCompletionContentPart>;

const anthropicParts = {
  data: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
  address: { type: 'image', source: { type: 'url', url: PICTURE } },
  pdf: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF }, title: 'report.pdf' },
} as const satisfies Record<string, Anthropic.ContentBlockParam>;

const openaiAsk = async (model: string, content: OpenAI.ChatCompletionContentPart[]) => {
  const answer = await bench.openai.chat.completions.create({ model, messages: [{ role: 'user', content }] });
  assert.equal(answer.choices[0]?.message.content, 'seen');
};
const anthropicAsk = async (model: string, content: Anthropic.ContentBlockParam[]) => {
  const answer = await bench.anthropic.messages.create({
    model,
    max_tokens: 100,
    messages: [{ role: 'user', content }],
  });
  assert.deepEqual(
    answer.content.map((block) => (block.type === 'text' ? block.text : block.type)),
    ['seen'],
  );
};
const sentToClaude = () => listOf(listOf(bench.strictAnthropic.last().body['messages']).at(-1)?.['content']);
const sentToGpt = () => listOf(listOf(bench.strictOpenai.last().body['messages']).at(-1)?.['content']);

/** Above what is translated in one turn of the event loop. */
const PHOTO = Buffer.concat([Buffer.from(PNG, 'base64'), randomBytes(1_500_000)]).toString('base64');

test('two photos of several megabytes arrive complete, in both directions, together with text of every kind', async () => {
  const text = { type: 'text' as const, text: 'say seen — "€" \\ \n \u0001 {"a":"b"}' };
  const url = `data:image/png;base64,${PHOTO}`;
  await openaiAsk(CLAUDE, [
    { type: 'image_url', image_url: { url } },
    text,
    { type: 'image_url', image_url: { url } },
    say,
  ]);
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: PHOTO };
  const [first, quoted, second] = sentToClaude();
  assert.deepEqual([first?.['source'], second?.['source']], [source, source]);
  assert.equal(quoted?.['text'], text.text);

  await anthropicAsk(GPT, [{ type: 'image', source }, text, { type: 'image', source }, say]);
  const [one, said, two] = sentToGpt();
  assert.deepEqual([one?.['image_url'], two?.['image_url']], [{ url }, { url }]);
  assert.equal(said?.['text'], text.text);
});

for (const kind of ['data', 'address', 'pdf'] as const) {
  const name = { data: 'an image', address: 'an image by its URL', pdf: 'a PDF' }[kind];

  test(`${name} of an OpenAI caller reaches Anthropic`, async () => {
    await openaiAsk(CLAUDE, [openaiParts[kind], say]);
    const [block, text] = sentToClaude();
    assert.equal(block?.['type'], anthropicParts[kind].type);
    assert.deepEqual(block?.['source'], anthropicParts[kind].source);
    assert.equal(text?.['text'], 'say seen');
  });

  test(`${name} of an Anthropic caller reaches OpenAI`, async () => {
    await anthropicAsk(GPT, [anthropicParts[kind], say]);
    const [part, text] = sentToGpt();
    assert.equal(part?.['type'], openaiParts[kind].type);
    const { detail: _hint, ...expected } = openaiParts[kind][openaiParts[kind].type as never] as Record<
      string,
      unknown
    >;
    assert.deepEqual(part?.[String(part['type'])], expected);
    assert.equal(text?.['text'], 'say seen');
  });

  test(`${name} is relayed unchanged`, async () => {
    await openaiAsk(GPT, [openaiParts[kind], say]);
    assert.deepEqual(sentToGpt()[0], openaiParts[kind]);
    await anthropicAsk(CLAUDE, [anthropicParts[kind], say]);
    assert.deepEqual(sentToClaude()[0], anthropicParts[kind]);
  });
}

test('an image in a tool result of an Anthropic caller reaches OpenAI, which takes none there', async () => {
  const answer = await bench.anthropic.messages.create({
    model: GPT,
    max_tokens: 100,
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'call look' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [anthropicParts.data] }, say],
      },
    ],
  });
  assert.equal(answer.stop_reason, 'end_turn');
  assert.ok(JSON.stringify(bench.strictOpenai.last().body).includes(PNG));
});

test('a text document of an Anthropic caller is read as text', async () => {
  const source = { type: 'text' as const, media_type: 'text/plain' as const, data: 'The sky is green.' };
  await anthropicAsk(GPT, [{ type: 'document', source }, say]);
  assert.match(JSON.stringify(bench.strictOpenai.last().body), /The sky is green\./);
});

test('an image with a wrong type is corrected for Anthropic, or refused clearly', async () => {
  const url = `data:image/jpeg;base64,${PNG}`;
  const messages = [{ role: 'user' as const, content: [{ type: 'image_url' as const, image_url: { url } }, say] }];
  await bench.openai.chat.completions.create({ model: CLAUDE, messages }).catch((error: unknown) => {
    assert.ok(error instanceof OpenAI.BadRequestError);
    assert.match(error.message, /media type|image\/jpeg/);
  });
});

describe('structured output', () => {
  const schema = {
    type: 'object' as const,
    properties: { city: { type: 'string' as const }, degrees: { type: 'integer' as const } },
    required: ['city', 'degrees'] as const,
    additionalProperties: false as const,
  };
  const parsed: JsonObject = JSON.parse(STRUCTURED_TEXT);

  for (const model of [GPT, CLAUDE, CLAUDE_NEWEST]) {
    test(`of ${model} follows the schema of an OpenAI caller`, async () => {
      const json_schema = { name: 'weather', strict: true, schema: { ...schema, required: [...schema.required] } };
      const answer = await bench.openai.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'json' }],
        response_format: { type: 'json_schema', json_schema },
      });
      assert.deepEqual(JSON.parse(answer.choices[0]?.message.content ?? ''), parsed);
      if (model === GPT) return;
      const { output_config: config } = bench.strictAnthropic.last().body;
      assert.deepEqual(config, { format: { type: 'json_schema', schema: json_schema.schema } });
    });

    test(`of ${model} follows the schema of an Anthropic caller`, async () => {
      const answer = await bench.anthropic.messages.parse({
        model,
        max_tokens: 100,
        messages: [{ role: 'user', content: 'json' }],
        output_config: { format: jsonSchemaOutputFormat(schema) },
      });
      assert.deepEqual(answer.parsed_output, parsed);
      if (model !== GPT) return;
      const { response_format: format } = bench.strictOpenai.last().body;
      assert.equal((format as JsonObject)['type'], 'json_schema');
    });
  }

  test('a schema with limits and open objects is still accepted by Anthropic', async () => {
    const open = {
      type: 'object',
      properties: { degrees: { type: 'integer', minimum: -90 }, city: { type: 'object', properties: {} } },
    };
    const answer = await bench.openai.chat.completions.create({
      model: CLAUDE,
      messages: [{ role: 'user', content: 'json' }],
      response_format: { type: 'json_schema', json_schema: { name: 'weather', schema: open } },
    });
    assert.deepEqual(JSON.parse(answer.choices[0]?.message.content ?? ''), parsed);
  });

  test('a schema with properties that may be absent is still accepted by OpenAI, without strict', async () => {
    const loose = { ...schema, required: ['city'] };
    const { data, response } = await bench.anthropic.messages
      .create({
        model: GPT,
        max_tokens: 100,
        messages: [{ role: 'user', content: 'json' }],
        output_config: { format: { type: 'json_schema', schema: loose } },
        tools: [{ name: 'look', strict: true, input_schema: loose }],
      })
      .withResponse();
    assert.equal(data.stop_reason, 'end_turn');
    assert.match(response.headers.get('x-turnpike-warnings') ?? '', /strict/);
  });

  test('a strict tool of an OpenAI caller is taken by Anthropic, limits and all', async () => {
    const parameters = { ...schema, properties: { ...schema.properties, degrees: { type: 'integer', minimum: -90 } } };
    const answer = await bench.openai.chat.completions.create({
      model: CLAUDE,
      messages: [{ role: 'user', content: 'call look {"city":"Rome","degrees":1}' }],
      tools: [{ type: 'function', function: { name: 'look', strict: true, parameters } }],
    });
    assert.equal(answer.choices[0]?.finish_reason, 'tool_calls');
    const [tool] = listOf(bench.strictAnthropic.last().body['tools']);
    assert.equal(tool?.['strict'], true);
    assert.match(JSON.stringify(tool), /minimum: -90/);
  });
});
