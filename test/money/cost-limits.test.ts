/**
 * Goal: what a message advises works in the format of the caller that reads it. Method: in every format, calls that are capped, that a
 * balance does not cover, and whose cost has no limit; then the same call with the advice followed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CallerDialectName, callerDialects } from '../../src/dialects/index.ts';
import { requestPath } from '../../src/dialects/interface/caller-path.ts';
import { OPEN_MODEL, type OpenGateway, openGateway, scriptedProvider } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  gateway = await openGateway({
    billing: { firstRunCredit: '0.1' },
    providers: [
      { ...scriptedProvider('one', upstream.origin), dialects: ['openai-chat'] },
      { ...searching('openai'), kind: 'custom', dialects: ['openai-chat', 'anthropic-messages', 'openai-responses'] },
      { ...searching('google'), kind: 'google' },
    ],
  });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

function searching(name: string): object {
  const prices = { input: 1, output: 5, webSearch: 0.001 };
  return {
    ...scriptedProvider(name, upstream.origin),
    dialects: null,
    models: [{ id: SEARCHING, upstream: 'searching', outputCap: 10, prices }],
  };
}

const NO_CAP = {};
const SEARCHING = 'vendor/searching';
/** A tool that the provider runs, without a limit. One that is not insisted on is left out of the Responses format. */
const SEARCHES: Readonly<Record<CallerDialectName, object>> = {
  'openai-chat': { tools: [{ type: 'web_search' }] },
  'anthropic-messages': { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  'openai-responses': { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
  gemini: { tools: [{ googleSearch: {} }] },
};
const LIMITS = Object.values(callerDialects).flatMap(({ costLimits: { toolUses } }) => toolUses ?? []);

for (const dialect of Object.values(callerDialects)) {
  const { outputCap, toolUses } = dialect.costLimits;
  const cap = (tokens: number) =>
    outputCap.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), tokens) as object;
  const ask = (model: string, more: object) => {
    const body: Record<string, unknown> = { ...dialect.exampleBody(model), ...more };
    // JSON leaves out what is undefined.
    if (more === NO_CAP) body[outputCap] = undefined;
    return gateway.post(requestPath(dialect.paths[0], model).path, body);
  };

  describe(`a caller of ${dialect.name}`, () => {
    test('learns which field asks for fewer tokens, and is served with it', async () => {
      const refused = await ask(OPEN_MODEL, cap(100_000_000));
      assert.equal(refused.status, 402);
      assert.ok((await refused.text()).includes(`Ask for fewer tokens (${outputCap})`));
      const served = await ask(OPEN_MODEL, cap(10));
      assert.equal(served.status, 200, await served.text());
    });

    if (dialect.name !== 'anthropic-messages')
      test('learns which field chooses the cap that it left out', async () => {
        const served = await ask(OPEN_MODEL, NO_CAP);
        assert.equal(served.status, 200, await served.text());
        assert.match(served.headers.get('x-turnpike-warnings') ?? '', new RegExp(`set ${outputCap} to choose$`));
      });

    test('learns how its own format limits the uses of a tool, and no other', async () => {
      const refused = await ask(SEARCHING, SEARCHES[dialect.name]);
      const text = await refused.text();
      assert.equal(refused.status, 400, text);
      assert.match(text, /has no limit/);
      assert.deepEqual(
        LIMITS.filter((limit) => text.includes(limit)),
        toolUses === null ? [] : [toolUses],
      );
    });
  });
}
