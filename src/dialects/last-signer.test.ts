/**
 * Goal: the vendor of the last opaque thought of a conversation is found in each format, without parsing the body, and nothing else is taken
 * for one. Method: conversations with thoughts as each vendor and each writer of the gateway gives them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANTHROPIC_REASONING, GOOGLE_REASONING, OPENAI_REASONING, type ReasoningBlock } from '../chat/request.ts';
import { scanJson } from '../wire/json-scan.ts';
import { sealSignature } from './anthropic-messages/answer/reasoning-tag.ts';
import { NO_THOUGHTS, sealThoughts } from './gemini/answer/reasoning-tag.ts';
import { callerDialects } from './index.ts';
import { sealThought, tagOf } from './openai-responses/answer/thought-seal.ts';

const XAI = 'xai-responses-v1';
const { 'openai-chat': chat, 'anthropic-messages': messages, 'openai-responses': responses, gemini } = callerDialects;

const thinking = (signature: string) => ({ type: 'thinking', thinking: 'Hm, "signature": that.', signature });
const redacted = (data: string) => ({ type: 'redacted_thinking', data });
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const inMessages = (...turns: object[]) => ({ model: 'm', max_tokens: 5, messages: [user('hi'), ...turns] });

test('messages: without the mark of the gateway a signature is Anthropic’s; the last one counts', () => {
  const foreign = sealSignature(XAI, 'opaque', { id: 'rs_1' });
  for (const [turns, signer] of [
    [[assistant(thinking('EqQBCg=='))], ANTHROPIC_REASONING],
    [[assistant(thinking(foreign))], XAI],
    [[assistant(thinking(foreign)), user('go on'), assistant(thinking('EqQBCg=='))], ANTHROPIC_REASONING],
    [[assistant(thinking('EqQBCg==')), user('go on'), assistant(thinking(foreign)), user('and')], XAI],
    [[assistant(thinking(''))], null],
    [[assistant(thinking(sealSignature(XAI, null)))], null],
    [[assistant({ type: 'tool_use', id: 't', name: 'sign', input: { signature: 'J. Doe' } })], null],
    [[user('{"type":"thinking","signature":"EqQ"}')], null],
    [[assistant(redacted('EmwKAhgB'))], ANTHROPIC_REASONING],
    [[assistant({ data: 'EmwKAhgB', type: 'redacted_thinking' })], ANTHROPIC_REASONING],
    [[assistant(redacted(sealSignature(XAI, 'gAAAAB')))], XAI],
    [[assistant(thinking(foreign), redacted('EmwKAhgB'))], ANTHROPIC_REASONING],
    [[assistant(redacted('EmwKAhgB'), thinking(foreign))], XAI],
    [
      [
        assistant(redacted('EmwKAhgB')),
        { role: 'user', content: Array(20).fill(image) },
        assistant({ type: 'text', text: 'ok' }),
      ],
      ANTHROPIC_REASONING,
    ],
    [[{ role: 'user', content: [image] }, user('redacted_thinking')], null],
    [[assistant(redacted(''))], null],
    [[user('{"type":"redacted_thinking","data":"Emw"}')], null],
    [[assistant({ type: 'tool_use', id: 't', name: 'x', input: { type: 'redacted', data: 'no' } })], null],
    [
      [assistant(thinking('EqQ')), assistant({ type: 'tool_use', id: 't', name: 'x', input: { signature: 'no' } })],
      ANTHROPIC_REASONING,
    ],
  ] as const)
    assert.equal(signerIn(messages, inMessages(...turns)), signer, JSON.stringify(turns));
});

test('responses: without the mark of the gateway an encrypted thought is OpenAI’s', () => {
  const item = (encrypted: string | null) => ({
    type: 'reasoning',
    id: 'rs_1',
    summary: [],
    encrypted_content: encrypted,
  });
  const anthropic = sealThought({ signature: 'EqQ', encrypted: null, origin: ANTHROPIC_REASONING });
  for (const [items, signer] of [
    [[item('gAAAAB')], OPENAI_REASONING],
    [[item(`${tagOf(XAI)}opaque`)], XAI],
    [[item('gAAAAB'), item(anthropic)], ANTHROPIC_REASONING],
    [[item(anthropic), item(null), item('')], ANTHROPIC_REASONING],
    [[item(sealThought({ signature: null, encrypted: null, origin: XAI }))], null],
    [[{ role: 'user', content: '"encrypted_content":"gAAAAB"' }], null],
    [[], null],
  ] as const)
    assert.equal(signerIn(responses, { model: 'm', input: items }), signer, JSON.stringify(items));
});

test('gemini: without the mark of the gateway a signature is Google’s, in either spelling', () => {
  const thought = (origin: string): ReasoningBlock => ({
    type: 'reasoning',
    text: 'Hm',
    signature: 'EqQ',
    encrypted: null,
    origin,
  });
  const part = (signature: string | null, name = 'thoughtSignature') => ({
    functionCall: { name: 'f', args: {} },
    [name]: signature,
  });
  for (const [parts, signer] of [
    [[part('CsQBAb8+')], GOOGLE_REASONING],
    [[part('CsQBAb8+', 'thought_signature')], GOOGLE_REASONING],
    [[part(sealThoughts([thought(ANTHROPIC_REASONING)]))], ANTHROPIC_REASONING],
    [[part('CsQBAb8+', 'thought_signature'), part(sealThoughts([thought(XAI)]))], XAI],
    [[part(sealThoughts([thought(XAI)])), part('CsQBAb8+', 'thought_signature')], GOOGLE_REASONING],
    [[part('skip_thought_signature_validator'), part(NO_THOUGHTS)], null],
    [[{ text: 'hi' }], null],
  ] as const)
    assert.equal(signerIn(gemini, { contents: [{ role: 'model', parts }] }), signer, JSON.stringify(parts));
});

test('chat completions: the format of the last thought with an opaque value', () => {
  const said = (details: unknown) => ({ role: 'assistant', content: 'x', reasoning_details: details });
  const text = (format: string | undefined, signature: string | null) => ({
    type: 'reasoning.text',
    text: 'Hm',
    signature,
    format,
  });
  for (const [turns, signer] of [
    [[said([text(ANTHROPIC_REASONING, 'EqQ')])], ANTHROPIC_REASONING],
    [[said([{ type: 'reasoning.encrypted', data: 'gAAAAB', format: OPENAI_REASONING }])], OPENAI_REASONING],
    [[said([text(XAI, 'a')]), said([text(ANTHROPIC_REASONING, 'b')])], ANTHROPIC_REASONING],
    [[said([text(ANTHROPIC_REASONING, null), text(undefined, 'b')])], ANTHROPIC_REASONING],
    [[said([text(ANTHROPIC_REASONING, null)])], null],
    [[said([text(undefined, 'EqQ')])], null],
    [[said([text(ANTHROPIC_REASONING, 'EqQ')]), said([text(ANTHROPIC_REASONING, null)])], ANTHROPIC_REASONING],
    [
      [
        said([{ type: 'reasoning.encrypted', data: 'a', format: XAI }]),
        said([{ type: 'reasoning.summary', summary: 'Hm' }]),
      ],
      XAI,
    ],
    [[said([{ type: 'reasoning.encrypted', data: 'CsQ', format: GOOGLE_REASONING }]), said([])], GOOGLE_REASONING],
    [[said([]), said(null)], null],
    [[{ role: 'assistant', content: 'x', reasoning: 'Hm' }], null],
  ] as const)
    assert.equal(signerIn(chat, { model: 'm', messages: turns }), signer, JSON.stringify(turns));
});

test('a thought before a long result of a tool is found, and one in what is older than a megabyte is not searched for', () => {
  const result = (length: number) => user('r'.repeat(length));
  const body = (length: number) => inMessages(assistant(thinking('EqQ')), result(length));
  assert.equal(signerIn(messages, body(500_000)), ANTHROPIC_REASONING);
  assert.equal(signerIn(messages, body(2_000_000)), null);
});

function signerIn(
  { lastSigner, scan }: (typeof callerDialects)[keyof typeof callerDialects],
  body: object,
): string | null {
  assert.ok(lastSigner !== undefined);
  return lastSigner(scanJson(Buffer.from(JSON.stringify(body)), scan));
}
