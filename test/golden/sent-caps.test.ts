/**
 * Goal: the output cap that is held for is the one that is sent, whoever calls and whoever serves. Method: every golden request of every
 * caller's format that is read, with a cap of the gateway's own, is written for every provider of another format; the cap in the body must
 * be the one that the writer reports, and no higher than the one it was given.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatRequest } from '../../src/chat/request.ts';
import { GatewayError } from '../../src/core/errors.ts';
import { asObject, type JsonObject } from '../../src/core/json-object.ts';
import { type ProviderDialectName, providerDialects } from '../../src/dialects/index.ts';
import type { WriteTarget, WrittenRequest } from '../../src/dialects/interface/write-target.ts';
import { callerNames, providerNames, requestFixtures } from './fixtures.ts';
import { targetsOf } from './targets.ts';
import { readFixture } from './translate.ts';

const CAP = 4_321;

for (const from of callerNames) {
  test(`${from}: the cap that the writer reports is the one that it sends`, () => {
    let seen = 0;
    for (const fixture of requestFixtures(from)) {
      const read = readFixture(fixture);
      if (read.type === 'refused') continue;
      for (const to of providerNames.filter((name) => String(name) !== from)) {
        for (const { name, target } of targetsOf(to)) {
          const written = writtenFor(to, { ...read.request, outputCap: CAP }, target);
          if (written === null) continue;
          seen += 1;
          const sent = capOf(to, JSON.parse(JSON.stringify(written.body)));
          assert.equal(sent, written.outputCap, `${fixture.name} for ${name} of ${to}`);
          assert.ok(typeof sent === 'number' && sent <= CAP, `${fixture.name} for ${name} of ${to}: ${sent}`);
        }
      }
    }
    assert.ok(seen >= 200, `only ${seen} requests were written`);
  });
}

/** Where each format has its cap; null without one. */
function capOf(to: ProviderDialectName, body: JsonObject): unknown {
  const caps: Record<ProviderDialectName, unknown> = {
    'openai-chat': body['max_completion_tokens'] ?? body['max_tokens'],
    'openai-responses': body['max_output_tokens'],
    'anthropic-messages': body['max_tokens'],
    gemini: asObject(body['generationConfig'])?.['maxOutputTokens'],
    'bedrock-converse': asObject(body['inferenceConfig'])?.['maxTokens'],
  };
  return caps[to] ?? null;
}

/** Null for what is refused. */
function writtenFor(to: ProviderDialectName, request: ChatRequest, target: WriteTarget): WrittenRequest | null {
  try {
    return providerDialects[to].writeRequest(request, target);
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
