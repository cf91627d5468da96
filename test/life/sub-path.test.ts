/**
 * Goal: below a path of its host the gateway serves the same, whether a proxy keeps the path or strips it, and the addresses it
 * returns include the path. Method: the gateway in this process, called directly in both forms, as either proxy would call it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatBody, DIALECTS, endsProperly, type OpenBench, openBench, PATHS } from '../support/open-gateway.ts';

let bench: OpenBench;
before(async () => {
  bench = await openBench({ publicUrl: 'https://models.example.com/llm/' });
});
after(() => bench.close());

for (const prefix of ['', '/llm'])
  describe(`called ${prefix === '' ? 'without the path' : 'with it'}`, () => {
    for (const dialect of DIALECTS)
      test(`a call is served: ${dialect}`, async () => {
        const whole = await bench.post(`${prefix}${PATHS[dialect]}`, chatBody(false));
        assert.equal(whole.status, 200, await whole.text());
        const streamed = await bench.post(`${prefix}${PATHS[dialect]}?beta=true`, chatBody(true));
        assert.ok(endsProperly(await streamed.text()));
      });

    test('errors lead to where they are explained, in every format', async () => {
      const here = 'https://models.example.com/llm/docs/reference/errors#';
      const wrong = { ...chatBody(false), model: 'no/such' };
      const openai = await (await bench.post(`${prefix}${PATHS['openai-chat']}`, wrong)).json();
      assert.equal((openai as ErrorBody).error.metadata.docs_url, `${here}model_not_found`);
      const anthropic = await (await bench.post(`${prefix}${PATHS['anthropic-messages']}`, wrong)).json();
      assert.equal((anthropic as AnthropicErrorBody).error.details.docs_url, `${here}model_not_found`);
      const router = await (await fetch(`${bench.url}${prefix}/api/v1/key`)).json();
      assert.equal((router as ErrorBody).error.metadata.docs_url, `${here}invalid_api_key`);
      const managed = await (await fetch(`${bench.url}${prefix}/api/dashboard/keys`)).json();
      assert.equal((managed as ErrorBody).error.metadata.docs_url, `${here}not_signed_in`);
      const page = await fetch(`${bench.url}${prefix}/docs/reference/errors`);
      assert.match(await page.text(), /model_not_found/);
      const markdown = await fetch(`${bench.url}${prefix}/docs/reference/errors.md`);
      assert.match(await markdown.text(), /^## model_not_found$/m);
    });

    test('documents with addresses include the path', async () => {
      const root = await (await fetch(`${bench.url}${prefix}/`)).json();
      assert.equal((root as { openapi: string }).openapi, '/llm/openapi.json');
      const document = await (await fetch(`${bench.url}${prefix}/openapi.json`)).json();
      assert.deepEqual((document as { servers: unknown }).servers, [{ url: 'https://models.example.com/llm' }]);
      const nothing = await (await fetch(`${bench.url}${prefix}/nothing`)).json();
      assert.match(
        (nothing as ErrorBody).error.message,
        / https:\/\/models\.example\.com\/llm\/api\/v1 as the base URL/,
      );
    });
  });

test('a sibling path is not a call', async () => {
  assert.equal((await bench.post(`/llmx${PATHS['openai-chat']}`, chatBody(false))).status, 404);
});

test('links for people contain the path once', async () => {
  assert.match((await bench.app.setUpLink()) ?? '', /^https:\/\/models\.example\.com\/llm\/setup#token=/);
});

interface AnthropicErrorBody {
  readonly error: { readonly details: { readonly docs_url: string } };
}

interface ErrorBody {
  readonly error: { readonly message: string; readonly metadata: { readonly docs_url: string } };
}
