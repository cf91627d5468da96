/** Goal: every field of a request reaches Google with its meaning, or is refused or reported. Method: field by field, by model. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatRequest, ImageBlock, JsonObject, Reasoning, UserBlock } from '../../../chat/request.ts';
import { text, user, write } from '../fixtures/write-fixture.ts';

const PRO = 'gemini-3-pro';
const FLASH = 'gemini-3-flash';
const PRO_25 = 'gemini-2.5-pro';
const FLASH_25 = 'gemini-2.5-flash';
const LITE_25 = 'gemini-2.5-flash-lite';
const OLD = 'gemini-2.0-flash';
const tool = { name: 'look', description: null, schema: { type: 'object' }, strict: null, cache: null };

test('settings have Google’s names, and no settings give no object', () => {
  const settings = { outputCap: 9, stop: ['a'], temperature: 1, topP: 0.5, topK: 3, seed: 7, frequencyPenalty: 1 };
  assert.deepEqual(write({ ...settings, presencePenalty: 2 }).body.generationConfig, {
    ...{ maxOutputTokens: 9, stopSequences: ['a'], temperature: 1, topP: 0.5, topK: 3 },
    ...{ frequencyPenalty: 1, presencePenalty: 2, seed: 7 },
  });
  assert.equal(write({}).body.generationConfig, undefined);
  const lowered = write({ outputCap: 99 }, PRO, { outputCap: 50 });
  assert.deepEqual([lowered.outputCap, lowered.warnings.length], [50, 1]);
  const { stop, body } = write({ stop: ['1', '2', '', '3', '4', '5', '6'] });
  assert.deepEqual([body.generationConfig, stop], [{ stopSequences: ['1', '2', '3', '4', '5'] }, ['6']]);
  const none = write({ stop: ['1'] }, PRO, { parameters: new Set(['tools']) });
  assert.deepEqual([none.body.generationConfig, none.stop, none.warnings], [undefined, ['1'], []]);
});

test('thinking is asked for by a level, by a budget, or not at all', () => {
  const asked = (reasoning: Partial<Reasoning>, model: string) =>
    write({ reasoning: { effort: null, budget: null, adaptive: false, hidden: false, ...reasoning } }, model).body
      .generationConfig?.thinkingConfig;
  const rows: readonly (readonly [Partial<Reasoning>, string, object | undefined])[] = [
    [{ effort: 'high' }, PRO, { thinkingLevel: 'HIGH', includeThoughts: true }],
    [{ effort: 'minimal' }, FLASH, { thinkingLevel: 'MINIMAL', includeThoughts: true }],
    [{ effort: 'minimal' }, PRO, { thinkingLevel: 'LOW', includeThoughts: true }],
    [{ effort: 'max', hidden: true }, PRO, { thinkingLevel: 'HIGH' }],
    [{ effort: 'none' }, FLASH, { thinkingLevel: 'MINIMAL' }],
    [{ effort: 'none' }, PRO, { thinkingLevel: 'LOW' }],
    [{ budget: 9_000 }, PRO, { thinkingLevel: 'MEDIUM', includeThoughts: true }],
    [{ adaptive: true }, PRO, { includeThoughts: true }],
    [{ hidden: true }, PRO, undefined],
    [{ effort: 'medium' }, FLASH_25, { thinkingBudget: 8192, includeThoughts: true }],
    [{ effort: 'max' }, PRO_25, { thinkingBudget: 32_768, includeThoughts: true }],
    [{ effort: 'none' }, FLASH_25, { thinkingBudget: 0 }],
    [{ effort: 'none' }, PRO_25, { thinkingBudget: 128 }],
    [{ budget: 100 }, LITE_25, { thinkingBudget: 512, includeThoughts: true }],
    [{ budget: 99_999 }, FLASH_25, { thinkingBudget: 24_576, includeThoughts: true }],
    [{ effort: 'low', budget: 3_000 }, FLASH_25, { thinkingBudget: 3_000, includeThoughts: true }],
    [{ adaptive: true }, FLASH_25, { thinkingBudget: -1, includeThoughts: true }],
    [{ effort: 'high' }, OLD, undefined],
  ];
  for (const [reasoning, model, config] of rows)
    assert.deepEqual(asked(reasoning, model), config, JSON.stringify([reasoning, model]));
});

test('a format is a schema, for older models in Google’s own, and an instruction where it cannot be', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const format = { type: 'json_schema', name: null, description: 'Tides.', schema, strict: true } as const;
  assert.deepEqual(write({ format }).body.generationConfig, {
    responseMimeType: 'application/json',
    responseJsonSchema: { ...schema, description: 'Tides.' },
  });
  assert.deepEqual(write({ format }, OLD).body.generationConfig, {
    responseMimeType: 'application/json',
    responseSchema: { type: 'OBJECT', description: 'Tides.', properties: { a: { type: 'STRING' } } },
  });
  assert.deepEqual(write({ format: { type: 'json_object' } }).body.generationConfig, {
    responseMimeType: 'application/json',
  });
  assert.ok(write({ format, tools: [tool] }).body.generationConfig?.responseJsonSchema);
  const { body, warnings } = write({ format, tools: [tool] }, PRO_25);
  assert.equal(body.generationConfig, undefined);
  assert.match(body.systemInstruction.parts[0].text, /JSON Schema:\n\{"type":"object"/);
  assert.equal(warnings.length, 1);
});

test('tools are declarations, with the schema as it is where the model takes it', () => {
  const schema: JsonObject = {
    $schema: 'x',
    type: 'object',
    additionalProperties: false,
    properties: { a: { const: 1 } },
  };
  const declared = (fields: Partial<ChatRequest>, model = PRO) =>
    write(fields, model).body.tools[0].functionDeclarations;
  assert.deepEqual(declared({ tools: [{ ...tool, schema }] }), [
    { name: 'look', description: '', parametersJsonSchema: schema },
  ]);
  assert.deepEqual(declared({ tools: [{ ...tool, schema: {} }] })[0].parametersJsonSchema, {
    type: 'object',
    properties: {},
  });
  assert.deepEqual(declared({ tools: [tool] }, OLD), [{ name: 'look', description: '' }]);
  const long = `9_${'x'.repeat(80)}`;
  const { body, toolNames } = write({ tools: [{ ...tool, name: long }], toolChoice: { type: 'tool', name: long } });
  const [wire] = body.toolConfig.functionCallingConfig.allowedFunctionNames;
  assert.deepEqual([body.tools[0].functionDeclarations[0].name, toolNames?.get(wire)], [wire, long]);
  assert.match(wire, /^[a-zA-Z_][\w-]{0,63}$/);
  assert.match(
    write({ tools: [{ ...tool, strict: true }], parallelTools: false }).warnings.join(),
    /parallel_tool_calls.*strict/,
  );
});

test('media are data, or addresses where Google fetches them and they are not its own storage', () => {
  const source = (url: string) => ({ type: 'url', url }) as const;
  const image = (of: ImageBlock['source']): ImageBlock => ({ type: 'image', source: of, detail: null, cache: null });
  const partsOf = (block: UserBlock, model = PRO) => write({ turns: [user(block)] }, model).body.contents[0].parts;
  assert.deepEqual(partsOf(image({ type: 'base64', mediaType: 'image/jpg', data: 'iVBORw0KGgo=' })), [
    { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
  ]);
  assert.deepEqual(partsOf(image(source('https://a.example/b.PNG?x=1'))), [
    { fileData: { mimeType: 'image/png', fileUri: 'https://a.example/b.PNG?x=1' } },
  ]);
  assert.deepEqual(partsOf(image(source('https://a.example/b'))), [{ fileData: { fileUri: 'https://a.example/b' } }]);
  for (const url of [
    'https://generativelanguage.googleapis.com/v1beta/files/x',
    'https://storage.googleapis.com/bucket/x.png',
    'gs://bucket/x.png',
  ])
    assert.throws(() => partsOf(image(source(url))), { code: 'unsupported_value' }, url);
  assert.throws(() => partsOf(image(source('https://a.example/b.png')), OLD), { code: 'unsupported_value' });
  const video = { type: 'video', source: source('https://www.youtube.com/watch?v=1'), cache: null } as const;
  assert.deepEqual(partsOf(video, OLD), [{ fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } }]);
  assert.deepEqual(partsOf({ type: 'audio', data: 'UklGRg==', format: 'wav', cache: null }), [
    { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } },
  ]);
  const pdf = { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' } as const;
  const document = {
    type: 'document',
    source: pdf,
    name: 'tide.pdf',
    context: 'Of today.',
    citations: true,
    cache: null,
  } as const;
  assert.deepEqual(partsOf(document), [
    { text: 'Of today.' },
    { text: 'Document "tide.pdf":' },
    { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
  ]);
});

test('instructions have their own field, but for a model that takes none they begin the conversation', () => {
  const system = [text('Be kind.')];
  assert.deepEqual(write({ system }).body.systemInstruction, { parts: [{ text: 'Be kind.' }] });
  const { body } = write({ system }, 'gemma-3-27b-it');
  assert.deepEqual(body, { contents: [{ role: 'user', parts: [{ text: 'Be kind.' }, { text: 'Ahoy' }] }] });
});

test('what Google has no field for is reported', () => {
  const { body, warnings } = write({ verbosity: 'low', user: 'jane', system: [text('Be kind.'), text('Be brief.')] });
  assert.equal(warnings.length, 2);
  assert.deepEqual(body.systemInstruction, { parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] });
});
