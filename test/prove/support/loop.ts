/**
 * The bodies of `test/linear`, as large as the limits let them be, against a running gateway: relayed, translated, counted; and as
 * answers. After each the gateway reports how long it blocked other work.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError } from '../../../src/core/errors.ts';
import { relayDialects } from '../../../src/dialects/index.ts';
import { requestPath } from '../../../src/dialects/interface/caller-path.ts';
import { scanJson } from '../../../src/wire/json-scan.ts';
import { ANSWER_FAMILIES, type AnswerFamily } from '../../linear/hostile-answers.ts';
import { type Family, REQUEST_FAMILIES } from '../../linear/hostile-requests.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { anthropicBody, openaiBody } from '../../support/upstream-scripts.ts';
import { seeded } from './seeded.ts';

const TURN_MS_MAX = 60;
/** A little below `limits.parsedValuesMax`, `limits.parsedTextBytesMax` and the largest body. */
const VALUES_MAX = 99_000;
const TEXT_BYTES_MAX = 8_000_000;
const BODY_BYTES_MAX = 32_000_000;
const SHOWN = 12;

interface Turn {
  readonly what: string;
  readonly worstMs: number;
  readonly bytes: number;
}

/** Returns figures; throws if a turn was too long in every one of the `runs`, which rules out garbage collection and compilation. */
export async function loop(runs: number, seed: number): Promise<string> {
  let answer: ProviderAnswer | null = null;
  const upstream = await startProvider(() => answer);
  const gateway = await startGateway({
    config: { providers: providers(upstream.origin) },
    imports: [new URL('./loop-watch.ts', import.meta.url)],
  });
  const turns: Turn[] = [];
  const measure = async (what: string, bytes: number, run: () => Promise<unknown>) => {
    const worst: number[] = [];
    for (let count = 0; count < runs; count += 1) {
      await worstTurn(gateway);
      await run();
      worst.push(await worstTurn(gateway));
    }
    turns.push({ what, bytes, worstMs: Math.min(...worst) });
    process.stdout.write(
      `${Math.min(...worst)
        .toFixed(0)
        .padStart(5)} ms (${worst.map((ms) => ms.toFixed(0)).join(', ')})  ${(bytes / 1e6).toFixed(1)} MB  ${what}\n`,
    );
  };
  try {
    for (const family of REQUEST_FAMILIES) {
      for (const lane of ['relay', 'translate'] as const) {
        const body = largest(family, seed, lane);
        await measure(`${lane} ${family.dialect}: ${family.name}`, body.length, () => ask(gateway, family, lane, body));
      }
    }
    for (const family of ANSWER_FAMILIES) {
      const bytes = largestAnswer(family, seed);
      answer = { bytes, isStream: family.isStream };
      for (const lane of ['relay', 'translate'] as const)
        await measure(
          `${lane} answer ${family.dialect}${family.isStream ? ', a stream' : ''}: ${family.name}`,
          bytes.length,
          () => askFor(gateway, family, lane),
        );
    }
    turns.sort((one, other) => other.worstMs - one.worstMs);
    for (const { what, worstMs } of turns.slice(0, SHOWN))
      process.stdout.write(`${worstMs.toFixed(0).padStart(5)} ms  ${what}\n`);
    const [worst] = turns;
    if (worst === undefined || worst.worstMs > TURN_MS_MAX)
      throw new Error(`a turn of ${worst?.worstMs.toFixed(0)} ms: ${worst?.what}`);
    return `${turns.length} bodies, ${runs} runs of each, the longest turn ${worst.worstMs.toFixed(0)} ms`;
  } finally {
    await gateway.stop();
    upstream.close();
  }
}

/** As large as a body may be: values and text of what is parsed have their own limits. */
function largest(family: Family, seed: number, lane: 'relay' | 'translate'): Buffer {
  const { watchedKeys = new Set() } = relayDialects[family.dialect].scan;
  const valuesOf = (bytes: Buffer) => (lane === 'relay' ? 0 : scanJson(bytes, { watchedKeys }).values);
  const bytesMax = lane === 'relay' ? BODY_BYTES_MAX : TEXT_BYTES_MAX;
  return grow((size) => named(family.write(seeded(seed), size), family, lane), bytesMax, valuesOf);
}

function largestAnswer({ write, isStream }: AnswerFamily, seed: number): Buffer {
  const valuesOf = (bytes: Buffer) => (isStream ? 0 : scanJson(bytes).values);
  return grow((size) => Buffer.from(write(seeded(seed), size)), TEXT_BYTES_MAX, valuesOf);
}

/** Bodies grow with their size, so a small one shows how large the largest is. The scan has limits of its own, which it names. */
function grow(write: (size: number) => Buffer, bytesMax: number, valuesOf: (bytes: Buffer) => number): Buffer {
  const sample = write(SAMPLE_SIZE);
  const share = Math.max(sample.length / bytesMax, valuesOf(sample) / VALUES_MAX);
  for (let size = Math.floor(SAMPLE_SIZE / share); size > SAMPLE_SIZE; size = Math.floor(size * 0.9)) {
    const bytes = write(size);
    if (bytes.length <= bytesMax && fits(bytes, valuesOf)) return bytes;
  }
  return sample;
}

function fits(bytes: Buffer, valuesOf: (bytes: Buffer) => number): boolean {
  try {
    return valuesOf(bytes) <= VALUES_MAX;
  } catch (error) {
    // A limit of the scan applies first: a smaller body goes further than its refusal.
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

const SAMPLE_SIZE = 100;

/** A model that is served in the caller's format, or in the other one only. */
function modelOf(dialect: Family['dialect'], lane: 'relay' | 'translate'): string {
  return `loop/${(dialect === 'openai-chat') === (lane === 'relay') ? 'chat' : 'messages'}`;
}

function named(json: string, { dialect }: Family, lane: 'relay' | 'translate'): Buffer {
  return Buffer.from(json.replace('"model":"m"', `"model":"${modelOf(dialect, lane)}"`));
}

async function ask(
  gateway: TestGateway,
  { dialect }: Family,
  lane: 'relay' | 'translate',
  body: Buffer,
): Promise<void> {
  const path = pathOf(dialect, modelOf(dialect, lane));
  await post(gateway, path, body);
  if (dialect === 'anthropic-messages' && lane === 'translate') await post(gateway, `${path}/count_tokens`, body);
}

/** The caller speaks the provider's format, or the other. */
async function askFor(
  gateway: TestGateway,
  { dialect, isStream }: AnswerFamily,
  lane: 'relay' | 'translate',
): Promise<void> {
  const other = dialect === 'openai-chat' ? 'anthropic-messages' : 'openai-chat';
  const caller = lane === 'relay' ? dialect : other;
  const body = {
    model: modelOf(caller, lane),
    max_tokens: 100,
    stream: isStream,
    messages: [{ role: 'user', content: 'x' }],
  };
  await post(gateway, pathOf(caller, body.model), Buffer.from(JSON.stringify(body)));
}

function pathOf(dialect: Family['dialect'], model: string): string {
  return requestPath(relayDialects[dialect].paths[0], model).path;
}

async function post(gateway: TestGateway, path: string, body: Buffer): Promise<void> {
  const response = await gateway.fetch(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  try {
    await response.arrayBuffer();
  } catch {
    // An answer that the gateway broke off counts as an answer here.
  }
}

/** A provider that reads whatever arrives, and answers as instructed. */
async function startProvider(answerOf: () => ProviderAnswer | null) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isMessages = request.url?.endsWith('/messages') === true;
      const { bytes, isStream } = answerOf() ?? {
        bytes: Buffer.from(isMessages ? anthropicBody('x') : openaiBody('x')),
        isStream: false,
      };
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      response.end(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface ProviderAnswer {
  readonly bytes: Buffer;
  readonly isStream: boolean;
}

async function worstTurn({ process: child }: TestGateway): Promise<number> {
  child.send({ ask: 'worst turn' });
  const [message] = await once(child, 'message');
  return (message as { readonly worstMs: number }).worstMs;
}

function providers(origin: string): readonly object[] {
  const provider = (name: string, dialect: string) => ({
    name,
    kind: 'custom',
    origin,
    credential: 'canary-credential-of-the-loop',
    dialects: [dialect],
    models: [{ id: `loop/${name}`, upstream: 'm', prices: { input: 1, output: 5 } }],
  });
  return [provider('chat', 'openai-chat'), provider('messages', 'anthropic-messages')];
}
