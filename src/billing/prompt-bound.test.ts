/**
 * Goal: the bound of a prompt is valid for what providers really read. Method: requests translated into the other format must
 * not have more text than the bound of the caller's body; and with recordings (`TURNPIKE_RECORDINGS`; otherwise this is
 * reported as skipped), no vendor may have reported more tokens than the bound of the request.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { callerNames, providerNames, type RequestFixture, requestFixtures } from '../../test/golden/fixtures.ts';
import { targetsOf } from '../../test/golden/targets.ts';
import { inboundOfFixture, translateRequest } from '../../test/golden/translate.ts';
import { GatewayError } from '../core/errors.ts';
import { type CallerDialectName, callerDialects } from '../dialects/index.ts';
import type { Peek } from '../dialects/interface/peek.ts';
import { promptBound } from './bound.ts';

const WINDOW = 2_000_000;
const folder =
  process.env['TURNPIKE_RECORDINGS'] ?? fileURLToPath(new URL('../../../shared/data/recorded', import.meta.url));
const skip = existsSync(folder) ? false : `no recordings at ${folder}; set TURNPIKE_RECORDINGS`;

const TARGETS = providerNames.flatMap((to) => targetsOf(to).map((named) => ({ to, ...named })));

test('a translated request has no more text than the bound of the body it was made from', () => {
  let seen = 0;
  for (const from of callerNames) {
    for (const fixture of requestFixtures(from)) {
      for (const { to, name, target } of TARGETS) {
        const written = translateRequest(fixture, to, target);
        if (written.type === 'refused') continue;
        const peek = peekOf(fixture);
        assert.ok(peek !== null, fixture.name);
        const bound = promptBound({ ...peek, media: { ...peek.media, images: 0, audioTokens: 0 } }, 'x', WINDOW);
        const text = textBytes(written.body);
        assert.ok(text <= bound, `${from} ${fixture.name} for ${name} of ${to}: ${text} bytes of text, bound ${bound}`);
        seen += 1;
      }
    }
  }
  assert.ok(seen > 50, `only ${seen} requests were translated`);
});

test('no vendor reported a longer prompt than the bound', { skip }, (context) => {
  let seen = 0;
  for (const { file, from, request, model, tokens } of recordedPrompts()) {
    const peek = peekOf({ from, name: file, about: file, request });
    if (peek === null) continue;
    const bound = promptBound(peek, model, WINDOW);
    assert.ok(tokens <= bound, `${file}: ${tokens} tokens, bound ${bound}`);
    seen += 1;
  }
  assert.ok(seen > 30, `only ${seen} prompts were found`);
  context.diagnostic(`${seen} recorded prompts`);
});

/** Null for a request that the gateway refuses. */
function peekOf(fixture: RequestFixture): Peek | null {
  try {
    return callerDialects[fixture.from].peek(inboundOfFixture(fixture));
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

/** The bytes of every string that a model reads, and of the names in schemas. */
function textBytes(body: unknown): number {
  const { messages, system, tools, response_format, output_config } = body as Record<string, unknown>;
  return stringBytes([messages, system]) + stringBytes([tools, response_format, output_config], true);
}

function stringBytes(value: unknown, withNames = false): number {
  if (typeof value === 'string') return /^data:|^iVBOR|^\/9j\/|^JVBER/.test(value) ? 0 : Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, inner]) => sum + (withNames ? Buffer.byteLength(name) : 0) + stringBytes(inner, withNames),
    0,
  );
}

interface RecordedPrompt {
  readonly file: string;
  readonly from: CallerDialectName;
  readonly request: Record<string, unknown>;
  /** The one that answered: it may be one of `models`. */
  readonly model: string;
  readonly tokens: number;
}

const PATHS: { readonly [Name in CallerDialectName]?: RegExp } = {
  'openai-chat': /\/chat\/completions(\?|$)/,
  'anthropic-messages': /\/messages(\?|$)/,
};

function* recordedPrompts(): Generator<RecordedPrompt> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.vcr.json'));
  for (const name of files) {
    const file = join(folder, name);
    const exchanges = JSON.parse(readFileSync(file, 'utf8'));
    if (!Array.isArray(exchanges)) continue;
    for (const { request, response } of exchanges) {
      const body = request?.body;
      const from = callerNames.find((dialect) => PATHS[dialect]?.test(request?.uri ?? ''));
      if (from === undefined || !Array.isArray(body?.messages)) continue;
      const answered =
        response?.body_file === undefined
          ? JSON.stringify(response?.body ?? '')
          : readFileSync(join(file, '..', response.body_file), 'utf8');
      const [, model = String(body.model)] = /"model" ?: ?"([^"]+)"/.exec(answered) ?? [];
      yield { file, from, request: body, model, tokens: largestPrompt(answered) };
    }
  }
}

/** The largest prompt in any usage of the answer. */
function largestPrompt(answered: string): number {
  const texts = answered.matchAll(/"(?:prompt_tokens|input_tokens)" ?: ?(\d+)/g);
  return Math.max(0, ...Array.from(texts, ([, count]) => Number(count)));
}
