/** Goal: a request is understood without parsing its conversation. Method: tables of paths and bodies, and what is read from them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import type { Inbound } from '../../interface/inbound.ts';
import { MP3, PDF, PNG } from '../../kit/media/media-fixture.ts';
import { WALKED_VALUES_MAX } from '../../kit/peek/walked-values.ts';
import { gemini } from '../gemini.ts';
import { governedFields } from './governed-fields.ts';
import { peek } from './peek.ts';
import { peekPrompt } from './peek-prompt.ts';

const HELLO = { contents: [{ role: 'user', parts: [{ text: 'Ahoy' }] }] };

function asked(body: unknown, { verb = 'generateContent', model = 'acme/lamp' } = {}): Inbound {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    path: `/v1beta/models/${model}:${verb}`,
    query: '',
    parameters: { model },
    headers: {},
    document: scanJson(Buffer.from(text), gemini.scan),
  };
}

const withPart = (...parts: unknown[]) => ({ contents: [{ role: 'user', parts }] });
const blob = (mimeType: string, bytes: Buffer, encoding: 'base64' | 'base64url' = 'base64') => ({
  inlineData: { mimeType, data: bytes.toString(encoding) },
});

const formatted = (responseFormat: unknown) => ({ ...HELLO, generationConfig: { responseFormat } });
const spoken = (voice: string) => ({ ...HELLO, generationConfig: { speechConfig: { voiceConfig: { voice } } } });

function refuses(body: unknown, code: string, param: string, read = peek): void {
  assert.throws(
    () => read(asked(body, read === peek ? {} : { verb: 'countTokens' })),
    (error) => error instanceof GatewayError && error.status === 400 && error.code === code && error.param === param,
    JSON.stringify(body),
  );
}

describe('peek', () => {
  test('the path names the model and says whether the answer is streamed', () => {
    assert.deepEqual([peek(asked(HELLO)).model, peek(asked(HELLO)).stream], ['acme/lamp', false]);
    assert.equal(peek(asked(HELLO, { verb: 'streamGenerateContent' })).stream, true);
    for (const prefix of ['models/', 'v1beta/models/', 'v1/models/'])
      assert.equal(peek(asked(HELLO, { model: `${prefix}acme/lamp` })).model, 'acme/lamp');
  });

  test('settings are read in both spellings', () => {
    for (const settings of [
      { generationConfig: { maxOutputTokens: 40, candidateCount: 3, responseMimeType: 'application/json' } },
      { generation_config: { max_output_tokens: 40, candidate_count: 3, response_schema: {} } },
    ]) {
      const { outputCap, choices, hasFormat } = peek(asked({ ...HELLO, ...settings }));
      assert.deepEqual([outputCap, choices, hasFormat], [40, 3, true]);
    }
    const { outputCap, choices, hasFormat } = peek(asked({ ...HELLO, generationConfig: null }));
    assert.deepEqual([outputCap, choices, hasFormat], [null, 1, false]);
  });

  test('one object counts as a list of one', () => {
    const single = { contents: { parts: { text: 'Ahoy' } }, tools: { functionDeclarations: [{ name: 'f' }] } };
    assert.equal(peek(asked(single)).hasTools, true);
    assert.equal(peek(asked({ ...single, tools: [] })).hasTools, false);
  });

  test('functions run at the caller; what Google runs may read and cost any amount', () => {
    const rows: readonly (readonly [tools: unknown, uses: number | 'unbounded', named: number])[] = [
      [[{ functionDeclarations: [{ name: 'f' }] }], 0, 0],
      [[{ function_declarations: [{ name: 'f' }], googleSearch: null }], 0, 0],
      [[{ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }], 0, 1],
      [[{ googleSearch: {} }], 'unbounded', 0],
      [[{ google_search: {} }, { functionDeclarations: [] }], 'unbounded', 0],
      [[{ codeExecution: {} }], 'unbounded', 0],
      [[{ urlContext: {} }], 'unbounded', 0],
      [[{ somethingNew: {} }], 'unbounded', 0],
      [{ googleSearch: {} }, 'unbounded', 0],
    ];
    for (const [tools, uses, named] of rows) {
      const read = peek(asked({ ...HELLO, tools }));
      assert.deepEqual([read.serverToolUses, read.namedTools], [uses, named], JSON.stringify(tools));
      assert.equal(read.promptUnbounded, uses !== 0);
    }
  });

  test('images and sounds in the body are bounded; PDFs, videos and addresses are not', () => {
    const rows: readonly (readonly [part: unknown, isBounded: boolean, images: number])[] = [
      [blob('image/png', PNG), true, 1],
      [blob('image/png', PNG, 'base64url'), true, 1],
      [{ inline_data: { mime_type: 'image/png', data: PNG.toString('base64') } }, true, 1],
      [blob('image/jpeg', PNG), false, 1],
      [blob('audio/mp3', MP3), true, 0],
      [blob('audio/mpeg', MP3), true, 0],
      [blob('audio/ogg', MP3), false, 0],
      [blob('application/pdf', PDF), false, 0],
      [blob('video/mp4', MP3), false, 0],
      [{ inlineData: { data: PNG.toString('base64') } }, false, 0],
      [{ fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } }, false, 0],
      [{ functionResponse: { name: 'f', response: {}, parts: [blob('image/png', PNG)] } }, true, 1],
      [{ functionResponse: { name: 'f', response: { inlineData: { mimeType: 'image/png' } } } }, true, 0],
      [{ functionCall: { name: 'f', args: { fileData: { fileUri: 'gs://mine' } } } }, true, 0],
    ];
    for (const [part, isBounded, images] of rows) {
      const { media, promptUnbounded } = peek(asked(withPart(part)));
      assert.deepEqual([media.isBounded, media.images], [isBounded, images], JSON.stringify(part).slice(0, 90));
      assert.equal(promptUnbounded, !isBounded);
    }
    const inSystem = { ...HELLO, systemInstruction: { parts: [blob('application/pdf', PDF)] } };
    assert.equal(peek(asked(inSystem)).promptUnbounded, true);
  });

  const refused: readonly (readonly [unknown, string, string])[] = [
    [{}, 'missing_field', 'contents'],
    [{ contents: null }, 'missing_field', 'contents'],
    [{ contents: [] }, 'invalid_value', 'contents'],
    [{ contents: 'Ahoy' }, 'invalid_value', 'contents'],
    [{ ...HELLO, generationConfig: 7 }, 'invalid_value', 'generationConfig'],
    ...[0, -1, 1.5, '40', 2 ** 31].map(
      (cap) =>
        [
          { ...HELLO, generationConfig: { maxOutputTokens: cap } },
          'invalid_value',
          'generationConfig.maxOutputTokens',
        ] as const,
    ),
    [{ ...HELLO, generationConfig: { candidateCount: 9 } }, 'invalid_value', 'generationConfig.candidateCount'],
    [{ ...HELLO, generationConfig: {}, generation_config: {} }, 'invalid_value', 'generationConfig'],
    [
      { ...HELLO, generationConfig: { maxOutputTokens: 1, max_output_tokens: 2 } },
      'invalid_value',
      'generationConfig.maxOutputTokens',
    ],
    [
      { ...HELLO, generationConfig: { responseModalities: ['TEXT', 'VIDEO'] } },
      'unsupported_value',
      'generationConfig.responseModalities',
    ],
    [{ ...HELLO, generationConfig: { routingConfig: {} } }, 'unsupported_value', 'generationConfig.routingConfig'],
    [{ ...HELLO, generation_config: { model_config: {} } }, 'unsupported_value', 'generationConfig.model_config'],
    [{ ...HELLO, outputConfig: { outputUriPrefix: 'gs://a/' } }, 'field_not_allowed', 'outputConfig'],
    [{ ...HELLO, continuation_token: 'AAAA' }, 'field_not_allowed', 'continuation_token'],
    [formatted([{ text: {} }, { image: {} }]), 'unsupported_value', 'generationConfig.responseFormat'],
    [formatted({ video: {} }), 'unsupported_value', 'generationConfig.responseFormat'],
    [formatted([{ audio: { delivery: 'URI' } }]), 'unsupported_value', 'generationConfig.responseFormat'],
    [formatted([{ audio: { delivery: 2 } }]), 'unsupported_value', 'generationConfig.responseFormat'],
    [formatted([{ text: 7 }]), 'invalid_value', 'generationConfig.responseFormat'],
    [formatted('text'), 'invalid_value', 'generationConfig.responseFormat'],
    [spoken('voice_1'), 'field_not_allowed', 'generationConfig.speechConfig.voiceConfig.voice'],
    [{ ...HELLO, tools: 'x' }, 'invalid_value', 'tools'],
    [{ ...HELLO, tools: [7] }, 'invalid_value', 'tools'],
    [{ ...HELLO, tools: [{ fileSearch: {} }] }, 'field_not_allowed', 'tools[].fileSearch'],
    [{ ...HELLO, tools: [{ mcp_servers: [] }] }, 'field_not_allowed', 'tools[].mcpServers'],
    [{ ...HELLO, model: 'models/other' }, 'unsupported_value', 'model'],
    [{ ...HELLO, Contents: [] }, 'field_not_allowed', 'Contents'],
  ];
  for (const [body, code, param] of refused)
    test(`refuses with ${code} of ${param}: ${JSON.stringify(body).slice(0, 90)}`, () => refuses(body, code, param));

  for (const format of [[], null, { text: { schema: {} } }, [{ audio: { delivery: 'INLINE' } }, { image: null }]])
    test(`accepts the form ${JSON.stringify(format)}`, () => {
      assert.equal(peek(asked(formatted(format))).hasFormat, format !== null);
    });

  test('a voice may be called by its name', () => {
    assert.equal(peek(asked(spoken('Kore'))).choices, 1);
  });

  for (const [name, refused] of [
    ['file\\u0053earch', 'fileSearch'],
    ['retrieva\\u006c', 'retrieval'],
    ['\\u006dcp_servers', 'mcpServers'],
    ['form\\u0061t', null],
  ] as const)
    test(`reads the name of a tool as a provider does: ${name}`, () => {
      const body = `{"contents":[{"parts":[{"text":"Hi"}]}],"tools":[{"${name}":{}}]}`;
      if (refused !== null) refuses(body, 'field_not_allowed', `tools[].${refused}`);
      else assert.equal(peek(asked(body)).serverToolUses, 'unbounded');
    });

  for (const part of [
    `"image\\u003a":{}`,
    '"\\u0069mage":{}',
    '"audio":{"deliver\\u0079":"URI"}',
    '"audio":{"delivery":"UR\\u0049"}',
  ])
    test(`reads the names of a form as a provider does: ${part}`, () =>
      refuses(
        `{"contents":[{"parts":[{"text":"Hi"}]}],"generationConfig":{"responseFormat":[{${part}}]}}`,
        'unsupported_value',
        'generationConfig.responseFormat',
      ));

  test('settings are scanned in one go, and so they may not be longer than 4 MiB', () => {
    const settings = (bytes: number) => ({ ...HELLO, generationConfig: { stopSequences: ['x'.repeat(bytes)] } });
    refuses(settings(4 * 1024 * 1024), 'invalid_value', 'generationConfig');
    assert.equal(peek(asked(settings(4_000_000))).outputCap, null);
  });

  test('what is walked in one turn may not have more values than that takes', () => {
    const many = Array(WALKED_VALUES_MAX).fill(1);
    refuses({ ...HELLO, tools: [{ x: many }] }, 'invalid_value', 'tools');
    // Its fields are found while the body arrives.
    assert.equal(peekPrompt(asked({ generateContentRequest: { ...HELLO, x: many } })).hasTools, false);
    assert.equal(peek(asked({ ...HELLO, x: many })).promptUnbounded, false);
    assert.equal(peek(asked({ ...withPart(blob('image/png', PNG)), x: many })).promptUnbounded, true);
  });

  test('a body may repeat the model of its path', () => {
    for (const model of ['acme/lamp', 'models/acme/lamp', 'lamp', 'models/lamp', null])
      peek(asked({ ...HELLO, model }));
    for (const model of ['', 'models/', 'models', 'amp', 'models/other', 'other/lamp', 'acme', 'models/x/acme/lamp'])
      refuses({ ...HELLO, model }, 'unsupported_value', 'model');
  });
});

describe('governed fields', () => {
  for (const { name, passes } of governedFields)
    test(`${name}: null and accepted values pass in both spellings, anything else is refused`, () => {
      const code = passes.length === 0 ? 'field_not_allowed' : 'unsupported_value';
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      for (const spelled of [name, snake]) {
        for (const value of [null, [], ...passes]) peek(asked({ ...HELLO, [spelled]: value }));
        for (const value of ['cachedContents/1', 1, true, { x: 1 }, 'y'.repeat(1000)])
          refuses({ ...HELLO, [spelled]: value }, code, spelled);
        refuses({ ...HELLO, [spelled.toUpperCase()]: null }, 'field_not_allowed', spelled.toUpperCase());
      }
    });

  test("files of the operator's account are refused, and public addresses pass", () => {
    for (const fileUri of [
      'https://generativelanguage.googleapis.com/v1beta/files/abc',
      'files/abc',
      'gs://bucket/lamp.mp4',
      'https://storage.googleapis.com/bucket/lamp.mp4',
      'https://STORAGE.googleapis.com./bucket/lamp.mp4',
      `https://a.example/${'x'.repeat(5_000)}`,
      7,
    ])
      for (const name of ['fileUri', 'file_uri'])
        refuses(
          withPart({ fileData: { [name]: fileUri } }),
          'field_not_allowed',
          `contents[].parts[].fileData.${name}`,
        );
    for (const fileUri of ['https://www.youtube.com/watch?v=1', 'https://a.example/lamp.png', null])
      peek(asked(withPart({ fileData: { fileUri } })));
  });

  test('a name that is read below the top level is read in one spelling', () => {
    for (const part of [{ InlineData: {} }, { inlineData: { MimeType: 'x' } }, { fileData: { FileUri: 'x' } }])
      assert.throws(() => asked(withPart(part)), { code: 'field_not_allowed' });
    for (const config of [{ MaxOutputTokens: 1 }, { 'max-output-tokens': 1 }])
      assert.throws(() => asked({ ...HELLO, generationConfig: config }), { code: 'field_not_allowed' });
    const words = { MimeType: 1, InlineData: 2, FileUri: 'gs://x', MaxOutputTokens: 3 };
    peek(
      asked(
        withPart({ functionCall: { name: 'f', args: words } }, { functionResponse: { name: 'f', response: words } }),
      ),
    );
    peek(asked({ ...HELLO, generationConfig: { responseSchema: { properties: words } } }));
    peek(asked({ ...HELLO, tools: [{ functionDeclarations: [{ name: 'f', parameters: { properties: words } }] }] }));
  });
});

describe('a request to count tokens', () => {
  test('has contents, or a whole request', () => {
    const whole = { generateContentRequest: { model: 'models/acme/lamp', ...HELLO } };
    for (const body of [HELLO, whole]) {
      const read = peekPrompt(asked(body, { verb: 'countTokens' }));
      assert.equal(read.model, 'acme/lamp');
      assert.equal(read.promptBytes, JSON.stringify(HELLO.contents).length);
    }
  });

  test('is refused as the call would be', () => {
    refuses({ generateContentRequest: {} }, 'missing_field', 'generateContentRequest.contents', peekPrompt);
    refuses({ ...HELLO, cachedContent: 'x' }, 'field_not_allowed', 'cachedContent', peekPrompt);
    refuses(
      { generateContentRequest: { ...HELLO, cachedContent: 'x' } },
      'field_not_allowed',
      'cachedContent',
      peekPrompt,
    );
  });
});
