/**
 * The bodies of `test/linear`, as large as the limits let them be, against a running gateway: relayed, translated, counted; and as
 * answers. After each the gateway reports how long it blocked other work.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError } from '../../../src/core/errors.ts';
import {
  type CallerDialectName,
  callerDialects,
  type ProviderDialectName,
  providerDialects,
  relayDialects,
} from '../../../src/dialects/index.ts';
import { requestPath } from '../../../src/dialects/interface/caller-path.ts';
import { scanJson } from '../../../src/wire/json-scan.ts';
import { ANSWER_FAMILIES, type AnswerFamily } from '../../linear/hostile-answers.ts';
import { type Family, pathOf, REQUEST_FAMILIES } from '../../linear/hostile-requests.ts';
import { laneAnswers } from '../../support/lane-answers.ts';
import { laneProviders, laneRequest } from '../../support/ledger-bench.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { seeded } from './seeded.ts';
import { worstTurn } from './worst-turn.ts';

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
    config: { providers: laneProviders(upstream.origin) },
    imports: [new URL('./loop-watch.ts', import.meta.url)],
  });
  const turns: Turn[] = [];
  const only = process.env['TURNPIKE_PROVE_LOOP_ONLY'] ?? '';
  const measure = async (what: string, bytes: number, run: () => Promise<number>) => {
    if (!what.includes(only)) return;
    const worst: number[] = [];
    let status = 0;
    for (let count = 0; count < runs; count += 1) {
      await worstTurn(gateway);
      status = await run();
      worst.push(await worstTurn(gateway));
    }
    turns.push({ what, bytes, worstMs: Math.min(...worst) });
    process.stdout.write(
      `${Math.min(...worst)
        .toFixed(0)
        .padStart(
          5,
        )} ms (${worst.map((ms) => ms.toFixed(0)).join(', ')})  ${(bytes / 1e6).toFixed(1)} MB  ${status}  ${what}\n`,
    );
  };
  try {
    for (const [index, family] of REQUEST_FAMILIES.entries()) {
      for (const provider of providersFor(family.dialect, index + seed)) {
        const body = largest(family, seed, provider);
        const lane = laneOf(family.dialect, provider);
        await measure(`${lane}: ${family.name}`, body.length, () => ask(gateway, family, provider, body));
      }
    }
    for (const [index, family] of ANSWER_FAMILIES.entries()) {
      const bytes = largestAnswer(family, seed);
      answer = { bytes, isStream: family.isStream };
      for (const caller of callersFor(family.dialect, index + seed))
        await measure(
          `answer of ${laneOf(caller, family.dialect)}${family.isStream ? ', a stream' : ''}: ${family.name}`,
          bytes.length,
          () => askFor(gateway, family, caller),
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

/** Its own format, if it can be relayed, and one other, a different one for each family; all others with `TURNPIKE_PROVE_LOOP_PAIRS=all`. */
function providersFor(caller: CallerDialectName, turn: number): readonly ProviderDialectName[] {
  const names = Object.keys(providerDialects) as ProviderDialectName[];
  const others = names.filter((name) => String(name) !== String(caller));
  return [...names.filter((name) => isRelayed(caller, name)), ...oneOrAll(others, turn)];
}

function callersFor(provider: ProviderDialectName, turn: number): readonly CallerDialectName[] {
  const names = Object.keys(callerDialects) as CallerDialectName[];
  const others = names.filter((name) => String(name) !== String(provider));
  return [...names.filter((name) => isRelayed(name, provider)), ...oneOrAll(others, turn)];
}

function oneOrAll<Name>(names: readonly Name[], turn: number): readonly Name[] {
  return process.env['TURNPIKE_PROVE_LOOP_PAIRS'] === 'all' ? names : [names[turn % names.length] as Name];
}

function isRelayed(caller: CallerDialectName, provider: ProviderDialectName): boolean {
  return String(caller) === String(provider) && Object.hasOwn(relayDialects, caller);
}

function laneOf(caller: CallerDialectName, provider: ProviderDialectName): string {
  return isRelayed(caller, provider) ? `relay ${caller}` : `${caller} to ${provider}`;
}

/** As large as a body may be: values and text of what is parsed have their own limits. */
function largest(family: Family, seed: number, provider: ProviderDialectName): Buffer {
  const { watchedKeys = new Set() } = callerDialects[family.dialect].scan;
  const relayed = isRelayed(family.dialect, provider);
  const valuesOf = (bytes: Buffer) => (relayed ? 0 : scanJson(bytes, { watchedKeys }).values);
  const bytesMax = relayed ? BODY_BYTES_MAX : TEXT_BYTES_MAX;
  return grow((size) => named(family.write(seeded(seed), size), provider), bytesMax, valuesOf);
}

function largestAnswer({ write, isStream }: AnswerFamily, seed: number): Buffer {
  const valuesOf = (bytes: Buffer) => (isStream ? 0 : scanJson(bytes).values);
  const bytesOf = (written: string | Buffer) => (typeof written === 'string' ? Buffer.from(written) : written);
  return grow((size) => bytesOf(write(seeded(seed), size)), TEXT_BYTES_MAX, valuesOf);
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

/** Served in one format alone. */
function modelOf(provider: ProviderDialectName): string {
  return `lanes/${provider}`;
}

function named(json: string, provider: ProviderDialectName): Buffer {
  return Buffer.from(json.replaceAll('"model":"m"', `"model":"${modelOf(provider)}"`));
}

async function ask(gateway: TestGateway, family: Family, provider: ProviderDialectName, body: Buffer): Promise<number> {
  const { dialect } = family;
  const { paths } = callerDialects[dialect];
  const status = await post(gateway, requestPath(pathOf(family), modelOf(provider)).path, body);
  const counting = paths.find(({ operation }) => operation === 'count_tokens');
  if (counting === undefined || isRelayed(dialect, provider)) return status;
  await post(gateway, requestPath(counting, modelOf(provider)).path, body);
  return status;
}

async function askFor(
  gateway: TestGateway,
  { dialect, isStream }: AnswerFamily,
  caller: CallerDialectName,
): Promise<number> {
  const { path, body } = laneRequest(caller, modelOf(dialect), isStream, 100);
  return post(gateway, path, Buffer.from(JSON.stringify(body)));
}

async function post(gateway: TestGateway, path: string, body: Buffer): Promise<number> {
  const response = await gateway.fetch(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  try {
    await response.arrayBuffer();
  } catch {
    // An answer that the gateway broke off counts as an answer here.
  }
  return response.status;
}

/** A provider that reads whatever arrives, and answers as instructed. */
async function startProvider(answerOf: () => ProviderAnswer | null) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const other = OTHER_ANSWERS.find(([path]) => path.test(request.url ?? ''));
      if (other !== undefined) return void response.end(JSON.stringify(other[1]));
      const { body, contentType } = laneAnswers[formatOf(request.url ?? '')];
      const { bytes, isStream } = answerOf() ?? { bytes: Buffer.from(JSON.stringify(body('x', 1))), isStream: false };
      response.writeHead(200, { 'content-type': isStream ? contentType : 'application/json' });
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

/** To requests that are no calls, by their path. */
const OTHER_ANSWERS: readonly (readonly [path: RegExp, answer: object])[] = [
  [/:countTokens/, { totalTokens: 1 }],
  [/(?:count_tokens|input_tokens|count-tokens)$/, { input_tokens: 1, inputTokens: 1, object: 'response.input_tokens' }],
  [/:embedContent/, { embedding: { values: [0.5] } }],
  [/:batchEmbedContents/, { embeddings: [{ values: [0.5] }] }],
];

/** By the path at which a provider is called. */
function formatOf(url: string): ProviderDialectName {
  if (/\/messages/.test(url)) return 'anthropic-messages';
  if (/\/responses/.test(url)) return 'openai-responses';
  if (/\/converse/.test(url)) return 'bedrock-converse';
  return /enerateContent|countTokens/.test(url) ? 'gemini' : 'openai-chat';
}

interface ProviderAnswer {
  readonly bytes: Buffer;
  readonly isStream: boolean;
}
