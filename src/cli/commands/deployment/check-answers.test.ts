// Goal: a refusal that doctor meets is named by its code, with the page that explains it. Method: errors as the gateway writes them, in
// each format.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { callerDialects } from '../../../dialects/index.ts';
import { refusedFinding } from './check-answers.ts';
import type { Deployment, Reply } from './deployment.ts';
import { chatCompletions, gemini, messages, responses } from './formats.ts';

const WRITTEN = [
  [messages, 'anthropic-messages'],
  [chatCompletions, 'openai-chat'],
  [responses, 'openai-responses'],
  [gemini, 'gemini'],
] as const;

function found(format: (typeof WRITTEN)[number][0], body: Buffer) {
  const url = new URL('https://llm.example.com/turnpike/');
  const deployment = { url, shown: (text: string) => text } as unknown as Deployment;
  const examination = { deployment, model: 'lab/big', nowMs: 0 };
  return refusedFinding(examination, 'answer', format, { status: 503, headers: {}, body } as unknown as Reply);
}

test('in every format, a refusal shows its code and the whole address of the page about it', () => {
  for (const [format, dialect] of WRITTEN) {
    const error = new GatewayError('model_unavailable');
    const { detail, fix } = found(format, callerDialects[dialect].writeError(error, 'req_1'));
    assert.match(detail, /^refused with 503 model_unavailable: No provider/, format.title);
    assert.match(
      fix ?? '',
      /^Read https:\/\/llm\.example\.com\/turnpike\/docs\/reference\/errors#model_unavailable, or/,
    );
  }
});

test('what is no code of ours is not made part of an address', () => {
  const { detail, fix } = found(chatCompletions, Buffer.from('{"error":{"message":"no","code":"../x?y"}}'));
  assert.equal(detail, 'refused with 503: no');
  assert.match(
    fix ?? '',
    /^Look up the code of the error at https:\/\/llm\.example\.com\/turnpike\/docs\/reference\/errors, or/,
  );
});
