/**
 * Goal: a large request reaches every target that is tried, each time unchanged except for the
 * model's name. Method: two scripted providers; the first refuses, or disconnects.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { headerOf } from '../support/http-reader.ts';
import { neverResting } from '../support/never-resting.ts';
import { chatBody, DIALECTS, type OpenGateway, openGateway, PATHS, scriptedProvider } from '../support/open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse, resetAtOnce } from '../support/upstream-scripts.ts';

const failures: Readonly<Record<string, Script>> = {
  'is overloaded': refuse(503, { error: { message: 'busy', type: 'overloaded_error' } }),
  'resets the connection': resetAtOnce,
};
const document = 'A long document, with ünïcödé and "quotes". '.repeat(20_000);

let upstreams: readonly ScriptedUpstream[];
let gateway: OpenGateway;

before(async () => {
  upstreams = await Promise.all([1, 2].map(() => startScriptedUpstream(answerWell)));
  gateway = await openGateway({
    providers: upstreams.map(({ origin }, index) => scriptedProvider(`target-${index + 1}`, origin)),
  });
  neverResting(gateway);
});
after(async () => {
  await gateway.close();
  for (const upstream of upstreams) await upstream.close();
});

for (const [reason, script] of Object.entries(failures)) {
  for (const dialect of DIALECTS) {
    test(`the next target gets all of a large request when the first ${reason}: ${dialect}`, async () => {
      upstreams[0]?.play(script);
      const before = upstreams.map(({ exchanges }) => exchanges.length);
      const sent = chatBody(false, document);
      const response = await gateway.post(PATHS[dialect], sent);
      assert.equal(response.status, 200);
      await response.text();
      const arrived = upstreams.map(({ exchanges }, index) => exchanges.slice(before[index]));
      assert.deepEqual([(arrived[0]?.length ?? 0) > 0, arrived[1]?.length], [true, 1]);
      for (const { request, json } of arrived.flat()) {
        assert.deepEqual({ ...json, model: null }, { ...sent, model: null });
        assert.equal(headerOf(request, 'content-length'), String(request.body.length));
      }
    });
  }
}
