/**
 * Answers as large as a provider can send them, or nearly, against a running gateway: to callers, and to lines of a batch, whose results are stored and read. After
 * each the gateway reports how long it blocked other work.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { awaitEnd, createBatch, inputOf, upload } from '../../batches/batch-fixture.ts';
import { laneAnswers } from '../../support/lane-answers.ts';
import { laneProviders, laneRequest } from '../../support/ledger-bench.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { worstTurn } from './worst-turn.ts';

const TURN_MS_MAX = 60;
/** A line's row is written to SQLite in one turn, which takes some milliseconds for each megabyte. */
const BYTES = { 'a caller': 30 * 1024 * 1024, 'a line': 12 * 1024 * 1024 };

/** Returns figures; throws if a turn was too long in each of the `runs`. */
export async function largeAnswers(runs: number): Promise<string> {
  let answer: Buffer = Buffer.alloc(0);
  const upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(answer);
    });
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  const gateway = await startGateway({
    config: { providers: laneProviders(`http://127.0.0.1:${port}`) },
    imports: [new URL('./loop-watch.ts', import.meta.url)],
  });
  const only = process.env['TURNPIKE_PROVE_LOOP_ONLY'] ?? '';
  const figures: string[] = [];
  let worstMs = 0;
  try {
    for (const [way, run] of WAYS) {
      for (const [name, body] of answers(BYTES[way])) {
        answer = body;
        if (!`${way}: ${name}`.includes(only)) continue;
        const turns: number[] = [];
        let came = '';
        for (let count = 0; count < runs; count += 1) {
          await worstTurn(gateway);
          came = await run(gateway);
          turns.push(await worstTurn(gateway));
        }
        const best = Math.min(...turns);
        figures.push(
          `${best.toFixed(0)} ms (${turns.map((ms) => ms.toFixed(0)).join(', ')})  ${way}: ${name}: ${came}`,
        );
        process.stdout.write(`${figures.at(-1)}\n`);
        worstMs = Math.max(worstMs, best);
      }
    }
    if (worstMs > TURN_MS_MAX) throw new Error(`a turn of ${worstMs.toFixed(0)} ms`);
    return `${figures.length} large answers, the longest turn ${worstMs.toFixed(0)} ms`;
  } finally {
    await gateway.stop();
    upstream.closeAllConnections();
    upstream.close();
  }
}

/** Those with pictures, or less than four million line breaks, are good; of the others there is too much. */
function answers(bytes: number): readonly (readonly [name: string, body: Buffer])[] {
  const good = JSON.stringify(laneAnswers['openai-chat'].body('x', 1));
  const picture = (length: number) => `{"image":"${'iVBORw0KGgo+/AAAANSUhEUgAA'.repeat(Math.floor(length / 26))}",`;
  const breaks = '\n'.repeat(4_000_000);
  const pictures = `{"images":[${Array.from({ length: Math.floor(bytes / 50_000) }, () => `"${'A'.repeat(50_000)}"`).join(',\n')}],`;
  const around = (filler: string) => Buffer.from(filler.repeat(Math.floor(bytes / filler.length)) + good);
  return [
    ['a picture', Buffer.from(picture(bytes) + good.slice(1))],
    ['many pictures, with line breaks', Buffer.from(pictures + good.slice(1))],
    ['line breaks within the bounds', Buffer.from(breaks + good)],
    ['a picture and line breaks', Buffer.from(breaks + picture(bytes - breaks.length) + good.slice(1))],
    ['spaces', around(' ')],
    ['line breaks', around('\n')],
    ['no JSON', around('x')],
    ['quotes', around('""')],
    ['a long text', Buffer.from(`{"text":"${'a b '.repeat(bytes / 4)}",${good.slice(1)}`)],
  ];
}

const WAYS: readonly (readonly [way: keyof typeof BYTES, run: (gateway: TestGateway) => Promise<string>])[] = [
  ['a caller', askOnce],
  ['a line', runBatch],
];

async function askOnce(gateway: TestGateway): Promise<string> {
  const { path, body } = laneRequest('openai-chat', MODEL, false, 100);
  const response = await gateway.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return `${response.status}, ${(await response.arrayBuffer()).byteLength} bytes`;
}

/** The result is fetched, too. */
async function runBatch(gateway: TestGateway): Promise<string> {
  const { body } = laneRequest('openai-chat', MODEL, false, 100);
  const ask = (path: string, init?: RequestInit) => gateway.fetch(path, init);
  const ended = await awaitEnd(ask, (await createBatch(ask, await upload(ask, inputOf([body])))).id);
  const file = ended.output_file_id ?? ended.error_file_id;
  const content = await gateway.fetch(`/v1/files/${file}/content`);
  return `${ended.output_file_id === null ? 'an error' : 'an answer'}, ${(await content.arrayBuffer()).byteLength} bytes`;
}

const MODEL = 'lanes/openai-chat';
