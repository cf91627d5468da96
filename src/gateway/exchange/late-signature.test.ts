/**
 * Goal: an asynchronous signature only takes time, and a caller that disconnects meanwhile ends its call. Method: the whole
 * gateway over loopback, with a provider whose signatures are completed by the test.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { headerOf } from '../../../test/support/http-reader.ts';
import {
  chatBody,
  DIALECTS,
  errorCode,
  type OpenBench,
  openBench,
  PATHS,
  rawCall,
} from '../../../test/support/open-gateway.ts';
import type { Exchange } from '../../../test/support/scripted-upstream.ts';
import { answerWell, refuse } from '../../../test/support/upstream-scripts.ts';
import { GatewayError } from '../../core/errors.ts';
import { credentialTest } from '../../providers/credential-test.ts';
import type { Signed, UnsignedRequest } from '../../providers/route.ts';

const TOKEN = 'canary-token-made-for-one-request';

interface Waiting {
  readonly request: UnsignedRequest;
  sign(): void;
  fail(error: unknown): void;
}

let bench: OpenBench;
let asked: PromiseWithResolvers<Waiting>;
before(async () => {
  bench = await openBench();
  const provider = bench.app.gateway.providers.get('scripted');
  assert(provider !== undefined);
  provider.sign = (request) => {
    const { promise, resolve, reject } = Promise.withResolvers<Signed>();
    const headers = { ...request.route.headers, ...request.headers, 'x-amz-security-token': TOKEN };
    const sign = () => resolve({ headers, secrets: credentialTest([TOKEN]) });
    asked.resolve({ request, sign, fail: reject });
    return promise;
  };
});
beforeEach(() => {
  asked = Promise.withResolvers();
  bench.upstream.play(answerWell);
});
after(() => bench.close());

for (const dialect of DIALECTS) {
  for (const streamed of [false, true]) {
    test(`${dialect}, ${streamed ? 'streamed' : 'whole'}: the request is sent once it is signed, and answered`, async () => {
      const sent: Exchange[] = [];
      bench.upstream.play((exchange) => {
        sent.push(exchange);
        return answerWell(exchange);
      });
      const answer = bench.post(PATHS[dialect], chatBody(streamed));
      const { request, sign } = await asked.promise;
      assert.equal(sent.length, 0);
      assert.match(String(request.body), /"scripted-1"/);
      sign();
      assert.equal((await answer).status, 200);
      const [exchange] = sent;
      assert(exchange !== undefined);
      assert.equal(headerOf(exchange.request, 'x-amz-security-token'), TOKEN);
    });
  }

  test(`${dialect}: no part of a signature is repeated to the caller`, async () => {
    bench.upstream.play(refuse(400, { error: { type: 'invalid_request_error', message: `no: ${TOKEN}` } }));
    const answer = bench.post(PATHS[dialect], chatBody(false));
    (await asked.promise).sign();
    assert.ok(!(await (await answer).text()).includes(TOKEN));
  });

  test(`${dialect}: a failed signature fails the call with its error`, async () => {
    const answer = bench.post(PATHS[dialect], chatBody(true));
    (await asked.promise).fail(new GatewayError('upstream_credential_rejected'));
    const response = await answer;
    assert.deepEqual([response.status, errorCode(await response.json())], [502, 'upstream_credential_rejected']);
  });
}

test('a caller that disconnects meanwhile ends its call immediately, and nothing is sent', async () => {
  let sent = 0;
  bench.upstream.play((exchange) => {
    sent += 1;
    return answerWell(exchange);
  });
  const caller = await bench.connect();
  await caller.write(rawCall(bench, 'openai-chat', false));
  const { sign } = await asked.promise;
  const ended = bench.nextRecord();
  caller.socket.destroy();
  assert.equal((await ended).ending, 'caller_left');
  sign();
  asked = Promise.withResolvers();
  const next = bench.post(PATHS['openai-chat'], chatBody(false));
  (await asked.promise).sign();
  assert.equal((await next).status, 200);
  assert.equal(sent, 1);
});
