/** Goal: a request means the same in the neutral form, and what only Google can do is refused or reported. Method: tables of bodies. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChatRequest } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import { sealThoughts } from '../answer/reasoning-tag.ts';
import { gemini } from '../gemini.ts';
import { readRequest } from './read-request.ts';

const HELLO = { role: 'user', parts: [{ text: 'Ahoy' }] };

function read(body: object, verb = 'generateContent'): ChatRequest {
  const document = scanJson(Buffer.from(JSON.stringify(body)), gemini.scan);
  return readRequest({
    path: `/v1beta/models/m:${verb}`,
    query: '',
    parameters: { model: 'm' },
    headers: {},
    document,
  });
}

const asked = (more: object = {}) => read({ contents: [HELLO], ...more });
const settings = (generationConfig: object) => asked({ generationConfig });
const said = (...contents: object[]) => read({ contents: [HELLO, ...contents] }).turns;

function refuses(body: object, param: string, code = 'invalid_value'): void {
  assert.throws(
    () => read({ contents: [HELLO], ...body }),
    (error) => error instanceof GatewayError && error.status === 400 && error.code === code && error.param === param,
    JSON.stringify(body),
  );
}

describe('settings', () => {
  test('are read in both spellings, and a stream by its path', () => {
    const camel = { maxOutputTokens: 9, topP: 0.5, topK: 40.0, stopSequences: ['x', ''], presencePenalty: 1, seed: 3 };
    const snake = {
      max_output_tokens: 9,
      top_p: 0.5,
      top_k: 40,
      stop_sequences: ['x', ''],
      presence_penalty: 1,
      seed: 3,
    };
    for (const config of [camel, snake]) {
      const { outputCap, topP, topK, stop, presencePenalty, seed, stream, warnings } = settings(config);
      assert.deepEqual([outputCap, topP, topK, stop, presencePenalty, seed], [9, 0.5, 40, ['x'], 1, 3]);
      assert.deepEqual([stream, warnings], [false, ['empty stop sequences were left out']]);
    }
    assert.equal(read({ contents: [HELLO] }, 'streamGenerateContent').stream, true);
  });

  test('a wish of another format for a stream is answered with the path', () => {
    assert.match(asked({ stream: true }).warnings.join(), /^stream was left out: .* :streamGenerateContent/);
    assert.deepEqual(asked({ stream: false }).warnings, []);
    assert.deepEqual(read({ contents: [HELLO], stream: true }, 'streamGenerateContent').warnings, []);
  });

  test('labels are pairs, and an entry without functions is no tool', () => {
    assert.deepEqual(asked({ labels: { a: 'b' } }).warnings, []);
    refuses({ labels: 5 }, 'labels');
    for (const tools of [{}, [{}], [{ functionDeclarations: null }]])
      assert.deepEqual(asked({ tools }).warnings, ['an entry of tools without functionDeclarations was left out']);
    assert.deepEqual(asked({ tools: [{ functionDeclarations: [] }] }).warnings, []);
  });

  test('how much to think, and whether that is shown', () => {
    const thinking = (thinkingConfig: object) => settings({ thinkingConfig }).reasoning;
    const rest = { budget: null, effort: null, adaptive: false, hidden: true };
    assert.equal(settings({}).reasoning, null);
    assert.deepEqual(thinking({}), rest);
    assert.deepEqual(thinking({ includeThoughts: true }), { ...rest, adaptive: true, hidden: false });
    assert.deepEqual(thinking({ thinkingBudget: 0, includeThoughts: true }), {
      ...rest,
      effort: 'none',
      hidden: false,
    });
    assert.deepEqual(thinking({ thinkingBudget: -1 }), { ...rest, adaptive: true });
    assert.deepEqual(thinking({ thinking_budget: 2048 }), { ...rest, budget: 2048 });
    assert.deepEqual(thinking({ thinkingLevel: 'low', includeThoughts: true }), {
      ...rest,
      effort: 'low',
      hidden: false,
    });
    assert.deepEqual(thinking({ thinkingLevel: 'XHIGH' }), { ...rest, effort: 'xhigh' });
    refuses(
      { generationConfig: { thinkingConfig: { thinkingBudget: -2 } } },
      'generationConfig.thinkingConfig.thinkingBudget',
    );
  });

  test('a form of the answer needs JSON, and Google’s schemas become JSON Schema', () => {
    assert.deepEqual(settings({ responseMimeType: 'application/json' }).format, { type: 'json_object' });
    assert.equal(settings({ responseMimeType: 'text/plain' }).format, null);
    const schema = {
      type: 'OBJECT',
      properties: {
        b: { type: 'STRING', nullable: true, enum: ['x'] },
        a: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1', max_items: 3 },
        c: { any_of: [{ type: 'NUMBER' }], nullable: true },
        type: { type: 'STRING' },
      },
      propertyOrdering: ['a', 'b'],
      required: ['a'],
    };
    const { format } = settings({ responseMimeType: 'application/json', responseSchema: schema });
    const expected = {
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
        b: { type: ['string', 'null'], enum: ['x', null] },
        c: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        type: { type: 'string' },
      },
      required: ['a'],
    };
    assert.equal(format?.type, 'json_schema');
    assert.equal(JSON.stringify(format?.type === 'json_schema' && format.schema), JSON.stringify(expected));
    refuses({ generationConfig: { responseSchema: {} } }, 'generationConfig.responseMimeType');
    refuses(
      { generationConfig: { responseMimeType: 'text/x.enum' } },
      'generationConfig.responseMimeType',
      'unsupported_value',
    );
    refuses({ generationConfig: { responseFormat: [{}] } }, 'generationConfig.responseFormat', 'unsupported_value');
  });

  test('what cannot be passed on is refused, and what only refines is reported', () => {
    refuses({ generationConfig: { candidateCount: 2 } }, 'generationConfig.candidateCount', 'unsupported_value');
    refuses(
      { generationConfig: { responseModalities: ['AUDIO'] } },
      'generationConfig.responseModalities',
      'unsupported_value',
    );
    const { warnings } = asked({
      safetySettings: [{ category: 'x' }],
      labels: { a: 'b' },
      generationConfig: { mediaResolution: 'LOW', responseLogprobs: true, responseModalities: ['TEXT'] },
      somethingNew: 1,
    });
    assert.deepEqual(warnings.map((warning) => warning.split(' ')[0]).toSorted(), [
      'generationConfig.mediaResolution',
      'generationConfig.responseLogprobs',
      'safetySettings',
      'somethingNew',
    ]);
  });
});

describe('tools', () => {
  const functions = (...names: string[]) => [{ functionDeclarations: names.map((name) => ({ name })) }];
  const choice = (config: object, tools = functions('f', 'g')) =>
    asked({ tools, toolConfig: { functionCallingConfig: config } });

  test('functions have schemas of either kind', () => {
    const { tools } = asked({
      tools: {
        function_declarations: [
          { name: 'f', description: 'd', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } },
          { name: 'g', parameters_json_schema: { type: 'object', properties: { Type: { type: 'string' } } } },
          { name: 'h' },
        ],
      },
    });
    assert.deepEqual(
      tools.map(({ name, schema }) => [name, schema]),
      [
        ['f', { type: 'object', properties: { a: { type: 'string' } } }],
        ['g', { type: 'object', properties: { Type: { type: 'string' } } }],
        ['h', { type: 'object', properties: {} }],
      ],
    );
    refuses({ tools: functions('f', 'f') }, 'tools');
    const both = { name: 'f', parameters: {}, parametersJsonSchema: {} };
    refuses({ tools: [{ functionDeclarations: [both] }] }, 'tools[0].functionDeclarations[0]');
  });

  test('a tool that Google runs is refused by its name', () => {
    for (const name of ['googleSearch', 'codeExecution', 'urlContext', 'google_search', 'somethingNew'])
      refuses({ tools: [...functions('f'), { [name]: {} }] }, `tools[1].${name}`, 'unsupported_value');
  });

  test('the mode says whether and which functions are called', () => {
    assert.deepEqual(choice({ mode: 'AUTO' }).toolChoice, { type: 'auto' });
    assert.deepEqual(choice({ mode: 'none' }).toolChoice, { type: 'none' });
    assert.deepEqual(choice({ mode: 'ANY' }).toolChoice, { type: 'required' });
    assert.deepEqual(choice({ mode: 'ANY', allowedFunctionNames: ['g'] }).toolChoice, { type: 'tool', name: 'g' });
    const some = choice({ mode: 'ANY', allowed_function_names: ['f', 'g'] }, functions('f', 'g', 'h'));
    assert.deepEqual([some.toolChoice, some.tools.map(({ name }) => name)], [{ type: 'required' }, ['f', 'g']]);
    const validated = choice({ mode: 'VALIDATED' });
    assert.deepEqual([validated.toolChoice, validated.warnings.length], [{ type: 'auto' }, 1]);
    const at = 'toolConfig.functionCallingConfig';
    const config = (functionCallingConfig: object) => ({
      tools: functions('f'),
      toolConfig: { functionCallingConfig },
    });
    refuses(config({ mode: 'SOME' }), `${at}.mode`);
    refuses(config({ allowedFunctionNames: ['f'] }), `${at}.allowedFunctionNames`);
    refuses(config({ mode: 'ANY', allowedFunctionNames: ['x'] }), `${at}.allowedFunctionNames[0]`);
    refuses({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }, `${at}.mode`);
  });
});

describe('turns', () => {
  const call = (name: string, id?: string) => ({ functionCall: { name, args: { n: 1 }, ...(id && { id }) } });
  const response = (name: string, value: object, id?: string) => ({
    functionResponse: { name, response: value, ...(id && { id }) },
  });
  const model = (...parts: object[]) => ({ role: 'model', parts });
  const user = (...parts: object[]) => ({ role: 'user', parts });

  test('pieces of a stream are joined, white space included', () => {
    const [, turn] = said(
      model({ text: 'Hm', thought: true }, { text: 'm.', thought: true }),
      model({ text: 'High ' }),
      model({ text: '\n\n' }, { text: 'water' }),
      model({ text: '' }),
      user({ text: 'Thanks' }),
    );
    assert.deepEqual(
      turn?.blocks.map((block) => [block.type, 'text' in block && block.text]),
      [
        ['reasoning', 'Hmm.'],
        ['text', 'High \n\nwater'],
      ],
    );
  });

  test('calls without ids get some, the same each time, and results are matched by name in order', () => {
    const contents = [
      model(call('f'), call('g'), call('f')),
      user(response('f', { output: 'one' }), response('f', { output: 'two' }), response('g', { output: 'three' })),
    ];
    const [, calls, results] = said(...contents);
    const ids = calls?.blocks.map((block) => block.type === 'tool_call' && block.id);
    assert.deepEqual(ids, ['call_1', 'call_2', 'call_3']);
    assert.deepEqual(
      results?.blocks.map((block) => block.type === 'tool_result' && [block.callId, block.content]),
      [
        ['call_1', [text('one')]],
        ['call_2', [text('three')]],
        ['call_3', [text('two')]],
      ],
    );
    assert.deepEqual(said(...contents), said(...contents));
  });

  test('results are matched by id, in the order of the calls, and repeated ids become distinct', () => {
    const [, , results, again] = said(
      model(call('f', 'a'), call('g', 'b')),
      user(response('g', { error: 'no' }, 'b'), { text: 'and?' }, response('f', { x: 1 }, 'a')),
      model(call('f', 'a')),
      user(response('f', { output: { deep: [1] } }, 'a')),
    );
    assert.deepEqual(results?.blocks, [
      { type: 'tool_result', callId: 'a', content: [text('{"x":1}')], isError: false, cache: null },
      { type: 'tool_result', callId: 'b', content: [text('no')], isError: true, cache: null },
      text('and?'),
    ]);
    assert.equal(again?.blocks[0]?.type === 'tool_call' && again.blocks[0].id, 'call_1');
  });

  test('a call that was cut short gets a result, and a response without a call is refused', () => {
    const { turns, warnings } = read({ contents: [HELLO, model(call('f')), user({ text: 'Stop' })] });
    assert.equal(turns[2]?.blocks[0]?.type === 'tool_result' && turns[2].blocks[0].isError, true);
    assert.equal(warnings.length, 1);
    refuses({ contents: [user(response('f', {}))] }, 'contents[0].parts[0].functionResponse');
    refuses(
      { contents: [HELLO, model(call('f', 'a')), user(response('f', {}, 'b'))] },
      'contents[2].parts[0].functionResponse',
    );
  });

  test('a signature is a thought before its part, and ours is opened', () => {
    const sealed = sealThoughts([
      { type: 'reasoning', text: 'Hmm.', signature: 's', encrypted: null, origin: 'anthropic-claude-v1' },
    ]);
    const [, ours] = said(
      model({ text: 'Hmm.', thought: true }, { ...call('f', 'a'), thoughtSignature: sealed }),
      user(response('f', {}, 'a')),
    );
    assert.deepEqual(
      ours?.blocks.map((block) => block.type),
      ['reasoning', 'tool_call'],
    );
    assert.deepEqual(ours?.blocks[0]?.type === 'reasoning' && [ours.blocks[0].text, ours.blocks[0].signature], [
      'Hmm.',
      's',
    ]);
    const [, googles] = said(
      model(
        { text: 'Hmm.', thought: true },
        { ...call('f', 'a'), thought_signature: 'Z29vZ2xl' },
        { ...call('g'), thoughtSignature: 'skip_thought_signature_validator' },
      ),
      user(response('f', {}, 'a'), response('g', {})),
    );
    assert.deepEqual(
      googles?.blocks.map((block) => block.type),
      ['reasoning', 'reasoning', 'tool_call', 'tool_call'],
    );
    assert.deepEqual(
      googles?.blocks[1]?.type === 'reasoning' && [googles.blocks[1].encrypted, googles.blocks[1].origin],
      ['Z29vZ2xl', 'google-gemini-v1'],
    );
  });

  test('media have their kinds, in the standard alphabet', () => {
    const blob = (mimeType: string, data = '_-8=') => ({ inlineData: { mimeType, data } });
    const [turn] = read({
      contents: user(
        blob('image/png'),
        { inline_data: { mime_type: 'audio/mpeg', data: 'AAAA' } },
        blob('application/pdf'),
        blob('text/plain', Buffer.from('lamp').toString('base64')),
        blob('video/mp4'),
        { fileData: { fileUri: 'https://a.example/x.png', mimeType: 'image/png' } },
        { fileData: { fileUri: 'https://youtu.be/x' } },
      ),
    }).turns;
    assert.deepEqual(
      turn?.blocks.map((block) => [block.type, 'source' in block ? block.source : 'format' in block && block.format]),
      [
        ['image', { type: 'base64', mediaType: 'image/png', data: '/+8=' }],
        ['audio', 'mp3'],
        ['document', { type: 'base64', mediaType: 'application/pdf', data: '/+8=' }],
        ['document', { type: 'text', text: 'lamp' }],
        ['video', { type: 'base64', mediaType: 'video/mp4', data: '/+8=' }],
        ['image', { type: 'url', url: 'https://a.example/x.png' }],
        ['video', { type: 'url', url: 'https://youtu.be/x' }],
      ],
    );
  });

  test("what Google's tools did is left out with a warning; an unknown part is refused", () => {
    const { turns, warnings } = read({
      contents: [HELLO, model({ executableCode: { code: 'x' } }, { codeExecutionResult: {} }, { text: 'Aye' }), HELLO],
    });
    assert.deepEqual([turns.length, warnings.length], [3, 1]);
    refuses({ contents: [user({ somethingNew: {} })] }, 'contents[0].parts[0]');
    refuses({ contents: [HELLO, model(response('f', {}))] }, 'contents[1].parts[0]');
    refuses({ contents: [user(call('f'))] }, 'contents[0].parts[0]');
    refuses({ contents: [{ role: 'system', parts: [] }] }, 'contents[0].role');
    refuses({ contents: [HELLO, model({ text: 'Aye' }), user({ text: ' ' })] }, 'contents');
  });

  test('instructions come first, and a request to count may have all of it in one field', () => {
    const { system } = asked({ system_instruction: { parts: { text: 'Be brief.' } } });
    assert.deepEqual(system, [text('Be brief.')]);
    const whole = {
      generateContentRequest: { model: 'models/m', contents: HELLO, systemInstruction: { parts: [{ text: 'x' }] } },
    };
    assert.deepEqual(read(whole, 'countTokens').system, [text('x')]);
    refuses(
      { systemInstruction: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' } }] } },
      'systemInstruction.parts[0]',
    );
  });
});

function text(words: string) {
  return { type: 'text', text: words, cache: null };
}
