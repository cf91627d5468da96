/**
 * Goal: the caller learns why a provider failed, and nothing about the operator. Method: vendors' messages with made-up ids, each with what
 * is left of it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quotableText, troubleText } from './quotable-text.ts';

const ROWS: readonly (readonly [vendor: string, message: string, quotable: string])[] = [
  [
    'OpenAI',
    'Rate limit reached for gpt-4o in organization org-Ab12Cd34Ef56 on tokens per min (TPM): Limit 30000, Used 20000, Requested 15000. Please try again in 10s. Visit https://platform.openai.com/account/rate-limits to learn more.',
    'Rate limit reached for gpt-4o in organization [redacted] on tokens per min (TPM): Limit 30000, Used 20000, Requested 15000. Please try again in 10s.',
  ],
  [
    'Anthropic',
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute (org: 4f1c1d2e-8a55-4a32-9a30-0123456789ab, model: claude-sonnet-4-5). For details, refer to: https://docs.claude.com/en/api/rate-limits. You may contact sales at https://www.anthropic.com/contact-sales.",
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute (org: [redacted], model: claude-sonnet-4-5).",
  ],
  [
    'Groq',
    'Rate limit reached for model `llama-3.3-70b-versatile` in organization `org_01jk2m3n4p5q` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Used 5500. Please try again in 7s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing',
    'Rate limit reached for model `llama-3.3-70b-versatile` in organization `[redacted]` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Used 5500. Please try again in 7s. Need more tokens',
  ],
  [
    'Google',
    'You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: generate_content_requests, limit: 5, model: gemini-2.5-flash\nPlease retry in 34.4s.',
    'You exceeded your current quota, * Quota exceeded for metric: generate_content_requests, limit: 5, model: gemini-2.5-flash Please retry in 34.4s.',
  ],
  [
    'Vertex',
    "Quota exceeded for quota metric 'requests' and limit 'requests per minute' of consumer 'project_number:446394345473'.",
    "Quota exceeded for quota metric 'requests' and limit 'requests per minute' of consumer '[redacted]'.",
  ],
  [
    'OpenRouter',
    'google/gemma-4-31b-it:free is temporarily rate-limited upstream. Please retry shortly, or add your own key to accumulate your rate limits: https://openrouter.ai/settings/integrations',
    'google/gemma-4-31b-it:free is temporarily rate-limited upstream.',
  ],
  [
    'xAI',
    "Too many requests for team 4f1c1d2e-8a55-4a32-9a30-0123456789ab and model grok-4. Your team's rate limit is: Requests per second (actual/limit): 8/8.",
    "Too many requests for team [redacted] and model grok-4. Your team's rate limit is: Requests per second (actual/limit): 8/8.",
  ],
  [
    'Moonshot',
    'Your account ak-f4v8xz is limited to 3 requests, please try again after 1 seconds',
    'Your account [redacted] is limited to 3 requests, please try again after 1 seconds',
  ],
  [
    'a proxy of names',
    'Limit in tenant acme-corp and user jane.doe@acme.com. Slow down.',
    'Limit in tenant [redacted] and user [redacted] Slow down.',
  ],
  [
    'a name',
    'Too many requests of customer Falcon in workspace id prod_eu.',
    'Too many requests of customer [redacted] in workspace id [redacted].',
  ],
  [
    'a plain name',
    'Rate limit of team acme reached, user: jane, org=acme',
    'Rate limit of team [redacted] reached, user: [redacted], org=[redacted]',
  ],
  [
    'no name',
    'The user message of your organization is too long for claude@20250514',
    'The user message of your organization is too long for claude@20250514',
  ],
  ['an address', 'Slow down, or write to jane@acme.com', 'Slow down'],
  ['Mistral', 'Requests rate limit exceeded', 'Requests rate limit exceeded'],
  ['a proxy', 'no route to 10.0.0.1', ''],
  ['a proxy', 'upstream http://vllm-7:8000 is busy', ''],
  ['a balance', 'Your credit balance is too low', ''],
  ['a key', 'Rate limit reached for your api key sk-ab***wxyz', ''],
  ['nothing', ' . , ', ''],
];

for (const [vendor, message, quotable] of ROWS)
  test(`${vendor}: “${message.slice(0, 40)}…”`, () => assert.equal(quotableText(message), quotable));

test('what is quoted is one short line', () => {
  const quoted = quotableText('slow\r\ndown\u202e, '.repeat(500));
  assert.ok(quoted.length <= 200 && !/[\r\n\u202e]/.test(quoted), quoted);
});

test('the failure is named before the quote; without a quote the code’s own sentence is used', () => {
  assert.equal(
    troubleText('upstream_rate_limited', 429, 'Slow down.'),
    'The provider is limiting requests: Slow down.',
  );
  assert.equal(troubleText('upstream_overloaded', 529, 'Overloaded'), 'The provider is overloaded: Overloaded');
  assert.equal(troubleText('upstream_timeout', 408, 'Too slow'), 'The provider did not respond in time: Too slow');
  assert.equal(troubleText('bad_gateway', 500, ''), 'The provider failed (HTTP 500).');
  assert.equal(troubleText('bad_gateway', null, 'x'), 'The provider failed in the middle of its answer: x');
  for (const code of ['upstream_rate_limited', 'upstream_overloaded', 'upstream_timeout'] as const)
    assert.equal(troubleText(code, 429, ''), null);
  assert.equal(troubleText('upstream_credential_rejected', 402, 'pay'), null);
  assert.equal(troubleText('bad_gateway', 405, 'no such method'), null);
});
