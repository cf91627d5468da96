/**
 * Goal: a process that is killed loses no charge that a caller saw earned, and its folder serves the
 * next one; a folder has one owner. Method: the real program under load, `kill -9` at two moments (`kill-loop.test.ts` has more),
 * what callers saw against what the database holds after a restart.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { goodAnswers } from '../faults/fault.ts';
import { chatBody, DIALECTS, endsProperly, PATHS, scriptedProvider } from '../support/open-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { newInstallation, startServer } from '../support/serve-process.ts';
import { isMessages } from '../support/upstream-scripts.ts';

const KILLS = 2;
const CALLERS = 16;

test('every answer that was seen whole before a kill is settled after it', { timeout: 60_000 }, async (context) => {
  const upstream = await startScriptedUpstream(async (exchange) => {
    const { frames, body } = goodAnswers[isMessages(exchange) ? 'anthropic-messages' : 'openai-chat'];
    if (exchange.json['stream'] !== true) return exchange.whole(200, body);
    await exchange.openStream();
    for (const frame of frames) await exchange.chunk(frame);
    await exchange.lastChunk();
  });
  const installation = await newInstallation({
    demo: false,
    providers: [scriptedProvider('scripted', upstream.origin)],
  });
  const seenWhole = new Set<string>();
  let cutOff = 0;

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const server = await startServer(installation);
    const exited = once(server.process, 'exit');
    const killAt = seenWhole.size + 100 * kill;
    const caller = async (number: number): Promise<void> => {
      for (let turn = number; ; turn += 1) {
        try {
          const dialect = DIALECTS[turn % 2] ?? 'openai-chat';
          const streamed = turn % 4 < 2;
          const response = await fetch(server.url + PATHS[dialect], {
            method: 'POST',
            headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
            body: JSON.stringify(chatBody(streamed)),
          });
          const text = await response.text();
          assert.equal(response.status, 200, text);
          if (streamed) assert.ok(endsProperly(text));
          seenWhole.add(response.headers.get('x-generation-id') ?? '');
          if (seenWhole.size === killAt) server.process.kill('SIGKILL');
        } catch (error) {
          // Only a broken connection is the end that was meant.
          assert.ok(error instanceof TypeError, String(error));
          cutOff += 1;
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
    await exited;
  }

  const last = await startServer(installation);
  const settled = new Set((await last.settlements()).map(({ id }) => id));
  const lost = [...seenWhole].filter((id) => !settled.has(id));
  context.diagnostic(`${seenWhole.size} seen whole, ${cutOff} cut off, ${settled.size} settled, ${lost.length} lost`);
  assert.deepEqual(lost, []);
  assert.ok(seenWhole.size >= 300);

  await assert.rejects(startServer(installation), /in use by another Turnpike/, 'a second owner is refused');
  assert.equal((await fetch(`${last.url}/health/ready`)).status, 200, 'and the first goes on');
  await last.remove();
  await upstream.close();
});
