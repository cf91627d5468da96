/**
 * Goal: who watches calls at one node sees those of all nodes as they end, each once. Method: two whole gateways on one PostgreSQL; the
 * stream of the dashboard, and the list that `turnpike records tail --follow` reads.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { OPEN_MODEL, type OpenGateway } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';
import { signedIn } from './signed-in.ts';

const CALLS = 3;

for (const name of serverNames)
  test(`PostgreSQL ${name}: calls of both nodes are shown live at either`, async (context) => {
    const { nodes, key, close } = await startNodes(2, name);
    context.after(() => close());
    const [first, second] = nodes as [OpenGateway, OpenGateway];
    const operator = await signedIn(first);
    const gone = new AbortController();
    const stream = await operator.fetch(second, 'GET', '/calls/live', undefined, gone.signal);
    assert.equal(stream.status, 200);
    const shown = generationsOf(stream);

    let { sequence } = await follow(second, 'limit=1');
    const early = new Set<string>();
    let isFollowed = false;
    for (let attempt = 0; attempt < 50 && !isFollowed; attempt += 1) {
      early.add(await ask(first, key));
      await pause(100);
      const page = await follow(second, `since=${sequence}`);
      isFollowed = page.ids.length > 0;
      sequence = page.sequence;
    }
    const made: string[] = [];
    for (let call = 0; call < CALLS; call += 1) for (const node of [first, second]) made.push(await ask(node, key));
    const endedAt = performance.now();

    const listed: string[] = [];
    for (let poll = 0; poll < 50 && listed.length < made.length; poll += 1) {
      const page = await follow(second, `since=${sequence}`);
      sequence = page.sequence;
      listed.push(...page.ids.filter((id) => !early.has(id)));
      await pause(100);
    }
    context.diagnostic(`listed after ${Math.round(performance.now() - endedAt)} ms`);
    assert.deepEqual(listed.toSorted(), made.toSorted());
    const streamed: string[] = [];
    while (streamed.length < made.length) {
      const { value: id } = await shown.next();
      assert.ok(id !== undefined, 'the stream goes on');
      if (!early.has(id)) streamed.push(id);
    }
    assert.deepEqual(streamed.toSorted(), made.toSorted());
    gone.abort();
  });

/** The id of the call. */
async function ask(node: OpenGateway, key: string): Promise<string> {
  const body = { model: OPEN_MODEL, messages: [{ role: 'user', content: 'Hello' }] };
  const answer = await node.post('/api/v1/chat/completions', body, { authorization: `Bearer ${key}` });
  const { id } = (await answer.json()) as { readonly id: string };
  assert.equal(answer.status, 200);
  return answer.headers.get('x-generation-id') ?? id;
}

async function follow(node: OpenGateway, query: string) {
  const { body, statusCode } = await node.app.control.inject({ method: 'GET', url: `/control/api/records?${query}` });
  assert.equal(statusCode, 200, body);
  const { data, sequence } = JSON.parse(body) as {
    readonly data: readonly { readonly id: string }[];
    readonly sequence: number;
  };
  return { ids: data.map(({ id }) => id), sequence };
}

/** Ids of the calls in a stream of server-sent events. */
async function* generationsOf({ body }: Response): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data: ')) {
        const { id } = JSON.parse(line.slice('data: '.length)) as { readonly id?: string };
        if (id !== undefined) yield id;
      }
  }
}

/** Between two questions. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => systemClock.after(ms, resolve));
}
