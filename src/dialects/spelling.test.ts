/**
 * Goal: a request means the same to the gateway as to a provider that is lenient about spelling. Method: find by trial each name that the
 * gateway depends on, and misspell it.
 */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { type JsonScanOptions, scanJson } from '../wire/json-scan.ts';
import { governedFields as governedInMessages } from './anthropic-messages/peek/governed-fields.ts';
import { AT_NO_PATH } from './contract.ts';
import type { RelayDialect } from './dialect.ts';
import { relayDialects } from './index.ts';
import { governedFields as governedInChat } from './openai-chat/peek/governed-fields.ts';
import { governedFields as governedInResponses } from './openai-responses/peek/governed-fields.ts';

type Json = unknown;
type Fields = Readonly<Record<string, Json>>;

/** Formats with the same rules at the top; those of others are tested in their own folders. */
const governed: Readonly<Record<string, readonly { readonly name: string }[]>> = {
  'openai-chat': governedInChat,
  'anthropic-messages': governedInMessages,
  'openai-responses': governedInResponses,
};

function refusal(dialect: RelayDialect, body: Json, options: JsonScanOptions = dialect.scan): GatewayError | null {
  try {
    dialect.peek({ ...AT_NO_PATH, headers: {}, document: scanJson(Buffer.from(JSON.stringify(body)), options) });
    return null;
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return error;
  }
}

/** What the gateway reads from a request, except its length; or its refusal. */
function meaning(dialect: RelayDialect, body: Json): string {
  const { watchedKeys = new Set() } = dialect.scan;
  try {
    const document = scanJson(Buffer.from(JSON.stringify(body)), { watchedKeys });
    return JSON.stringify(dialect.peek({ ...AT_NO_PATH, headers: {}, document }), (_name, value: unknown) =>
      value instanceof Set || value instanceof Map ? [...value] : value,
    );
  } catch (error) {
    return error instanceof GatewayError ? `${error.code} ${error.param}` : String(error);
  }
}

/** Each copy of `value` in which one name is spelled in capitals. */
function* misspellings(value: Json): Generator<{ name: string; body: Json }> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const { name, body } of misspellings(item)) yield { name, body: value.with(at, body) };
    }
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    for (const [at, [name, inside]] of entries.entries()) {
      yield { name, body: Object.fromEntries(entries.with(at, [name.toUpperCase(), inside])) };
      for (const found of misspellings(inside)) {
        yield { name: `${name}.${found.name}`, body: Object.fromEntries(entries.with(at, [name, found.body])) };
      }
    }
  }
}

const messages = [{ role: 'user', content: 'hi' }];
const minimalOf = ({ name }: RelayDialect): Fields =>
  name === 'openai-responses'
    ? { model: 'a/b', max_output_tokens: 5, input: messages }
    : { model: 'a/b', max_tokens: 5, messages };

const plain = (name: string) => name.replaceAll('_', '').toLowerCase();

for (const dialect of Object.values(relayDialects)) {
  const fields = governed[dialect.name];
  if (fields === undefined) continue;
  const minimal = minimalOf(dialect);
  describe(dialect.name, () => {
    test('a misspelled top-level name that is governed or read is refused, also next to the correct one', () => {
      const names = fields.map(({ name }) => name);
      for (const name of [...names, ...Object.keys(minimal), 'stream', 'tools']) {
        for (const odd of [name.toUpperCase(), name.replaceAll('s', '\u017f'), name.replaceAll('k', '\u212a')]) {
          if (odd === name) continue;
          const error = refusal(dialect, { ...minimal, [odd]: null });
          assert.equal(error?.code, 'field_not_allowed', odd);
          assert.equal(error?.param, odd);
          // Of two names that differ only in underscores, either is correct.
          const [, right = ''] = /spell it "([^"]+)"/.exec(error.message) ?? [];
          assert.equal(plain(right), plain(name), error.message);
        }
      }
    });

    test('a request is refused if misspelling a name changes its meaning', () => {
      const folder = new URL(`../../test/golden/requests/${dialect.name}/`, import.meta.url);
      let tried = 0;
      for (const file of readdirSync(folder)) {
        const read = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { request?: Json };
        const request = (read.request ?? read) as Json;
        const meant = meaning(dialect, request);
        for (const { name, body } of misspellings(request)) {
          const changed = meaning(dialect, body);
          // A tool with an unknown field counts as one of the provider's, for which the maximum is held.
          if (changed === meant || changed.includes('"serverToolUses":"unbounded"')) continue;
          tried += 1;
          assert.notEqual(refusal(dialect, body), null, `${file}: ${name}`);
        }
      }
      assert.ok(tried > 100, `${tried} were tried`);
    });

    test('tool input, schemas, labels and texts may have any names', () => {
      const words = { Type: 'x', URL: 'y', fileId: 'z', SOURCE: { Data: 1 }, Model: 1, imageUrl: 2, 'max-tokens': 3 };
      const schema = { type: 'object', properties: words };
      const inChat = {
        tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
        response_format: { type: 'json_schema', json_schema: { name: 's', schema } },
        messages: [
          { role: 'user', content: JSON.stringify(words) },
          {
            role: 'assistant',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify(words) } }],
          },
        ],
      };
      const inMessages = {
        tools: [{ name: 'f', input_schema: schema, input_examples: [words] }],
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: words }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: JSON.stringify(words) }] },
        ],
      };
      const inResponses = {
        tools: [{ type: 'function', name: 'f', strict: false, parameters: schema }],
        text: { format: { type: 'json_schema', name: 's', schema } },
        input: [
          { role: 'user', content: JSON.stringify(words) },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: JSON.stringify(words) },
          { type: 'function_call_output', call_id: 'c', output: JSON.stringify(words) },
        ],
      };
      const inFormat: Readonly<Record<string, object>> = {
        'openai-chat': inChat,
        'anthropic-messages': inMessages,
        'openai-responses': inResponses,
      };
      const own = inFormat[dialect.name];
      assert.equal(refusal(dialect, { ...minimal, ...own, metadata: words }), null);
    });

    test('a block, a source and a tool are read in one spelling', () => {
      const blocks: readonly Fields[] = [
        { type: 'image', Source: { type: 'url', url: 'http://x' } },
        { type: 'image', source: { type: 'base64', data: 'aGk=', Type: 'url' } },
        { type: 'image_url', image_url: { URL: 'http://x' } },
        { type: 'document', source: { type: 'file', File_Id: 'f' } },
        { type: 'text', text: 'x', cacheControl: { type: 'ephemeral' } },
      ];
      const inItems: readonly Fields[] = [
        { type: 'input_image', Image_URL: 'http://x' },
        { type: 'input_file', fileId: 'f' },
      ];
      const isItems = dialect.name === 'openai-responses';
      for (const block of isItems ? inItems : blocks) {
        const asked = [{ role: 'user', content: [block] }];
        const error = refusal(dialect, { ...minimal, ...(isItems ? { input: asked } : { messages: asked }) });
        assert.ok(error !== null, JSON.stringify(block));
      }
      assert.equal(refusal(dialect, { ...minimal, tools: [{ type: 'custom', Type: 'x' }] })?.param, 'tools[].Type');
    });
  });
}
