/**
 * The whole gateway with a scripted provider, in all lanes, with the ledger's own rows of each call.
 * Every model's tokenizer counts words, so the cost of a cut answer can be computed in advance.
 */
import { generationId } from '../../src/core/ids.ts';
import {
  type CallerDialectName,
  callerDialects,
  type ProviderDialectName,
  providerDialects,
  relayDialects,
} from '../../src/dialects/index.ts';
import type { SettledCall } from '../prove/support/ledger-file.ts';
import { numberedProviders } from '../prove/support/numbered-provider.ts';
import { type ConfigFile, type DialectUnderTest, type OpenGateway, openGateway, PATHS } from './open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';
import { settledCall } from './settled-calls.ts';
import { StreamReader } from './stream-reader.ts';
import { answerWell } from './upstream-scripts.ts';

/** How a call goes: the caller's format, and the provider's. */
export interface Lane<
  Caller extends CallerDialectName = DialectUnderTest,
  Provider extends ProviderDialectName = DialectUnderTest,
> {
  readonly name: string;
  readonly dialect: Caller;
  readonly upstream: Provider;
  readonly model: string;
}

export type AnyLane = Lane<CallerDialectName, ProviderDialectName>;

export const LANES: readonly Lane[] = [
  lane('openai-chat', 'openai-chat', 'both'),
  lane('anthropic-messages', 'anthropic-messages', 'both'),
  lane('openai-chat', 'anthropic-messages', 'messages'),
  lane('anthropic-messages', 'openai-chat', 'chat'),
];

/**
 * Each format relayed, each provider's translated for one caller, and each caller's for one provider: as many as there are formats, and
 * not as many as there are pairs.
 */
export const ALL_LANES: readonly AnyLane[] = lanesOf();

function lanesOf(): readonly AnyLane[] {
  const callers = Object.keys(callerDialects) as CallerDialectName[];
  const providers = Object.keys(providerDialects) as ProviderDialectName[];
  const relayed = providers
    .filter((name) => Object.hasOwn(relayDialects, name))
    .map((name) => anyLane(name as CallerDialectName, name));
  const translated = providers.map((provider, index) => {
    const others = callers.filter((caller) => String(caller) !== String(provider));
    return anyLane(others[index % others.length] as CallerDialectName, provider);
  });
  const unseen = callers.filter((caller) => translated.every(({ dialect }) => dialect !== caller));
  const rest = unseen.map((caller) =>
    anyLane(caller, providers.find((name) => String(name) !== String(caller)) as ProviderDialectName),
  );
  return [...relayed, ...translated, ...rest];
}

function anyLane(dialect: CallerDialectName, upstream: ProviderDialectName): AnyLane {
  const name = String(dialect) === String(upstream) ? dialect : `${dialect} to ${upstream}`;
  return { name, dialect, upstream, model: `lanes/${upstream}` };
}

/** A provider for each format, with a model that is served in it alone. */
export function laneProviders(origin: string): readonly object[] {
  const model = (name: string) => ({ id: `lanes/${name}`, upstream: `${name}-1`, prices: { input: 1, output: 5 } });
  return (Object.keys(providerDialects) as ProviderDialectName[]).map((name) => ({
    name: `of-${name}`,
    origin,
    credential: `credential-of-${name}`,
    dialects: [name],
    models: [model(name)],
    ...KINDS[name],
  }));
}

/** The formats that a server of the operator's cannot have. */
const KINDS: Readonly<Record<ProviderDialectName, object>> = {
  'openai-chat': { kind: 'custom' },
  'anthropic-messages': { kind: 'custom' },
  'openai-responses': { kind: 'custom' },
  gemini: { kind: 'google' },
  'bedrock-converse': { kind: 'bedrock', region: 'us-east-1' },
};

export interface LedgerBench extends OpenGateway {
  readonly upstream: ScriptedUpstream;
  /** Makes one call, waits until it ends, and returns its row; `act` is what the caller, or another party, does meanwhile. */
  settle(asked: Asked, script: Script, act?: (reader: StreamReader) => unknown): Promise<SettledCall>;
}

export interface Asked {
  readonly lane: AnyLane;
  readonly streamed: boolean;
  readonly outputCap?: number;
}

const OUTPUT_CAP = 1_000_000;
export const MESSAGES = [{ role: 'user', content: 'hi' }];
/** The size of a prompt in a tokenizer that counts words, if the provider does not report it. */
export const COUNTED_PROMPT = Math.ceil(JSON.stringify(MESSAGES).length / 6);

export async function openLedgerBench(file: ConfigFile = {}): Promise<LedgerBench> {
  const upstream = await startScriptedUpstream(answerWell);
  const gateway = await openGateway({
    providers: [...numberedProviders(upstream.origin), ...laneProviders(upstream.origin)],
    billing: { firstRunCredit: '1000000' },
    ...file,
  });
  for (const model of gateway.app.gateway.catalog.all())
    for (const target of model.targets) Object.assign(target, { tokenizer: 'words' });
  return {
    ...gateway,
    upstream,
    async settle(asked, script, act) {
      upstream.play(script);
      const recorded = gateway.nextRecord();
      const reader = await StreamReader.open(gateway.url, requestBytes(gateway, asked));
      await act?.(reader);
      const { callId } = await recorded;
      reader.leave();
      return settledCall(gateway, generationId(callId));
    },
    async close() {
      await gateway.close();
      await upstream.close();
    },
  };
}

export function requestBytes(
  { url, key }: Pick<OpenGateway, 'url' | 'key'>,
  { lane: { dialect, model }, streamed, outputCap = OUTPUT_CAP }: Asked,
): string {
  const { path, body: json } = laneRequest(dialect, model, streamed, outputCap);
  const body = JSON.stringify(json);
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** A short question, where and as a client of the format asks it. */
export function laneRequest(
  dialect: CallerDialectName,
  model: string,
  streamed: boolean,
  cap: number,
): ReturnType<LaneRequest> {
  return LANE_REQUESTS[dialect](model, streamed, cap);
}

type LaneRequest = (model: string, streamed: boolean, cap: number) => { readonly path: string; readonly body: object };

const ofMessages =
  (path: string): LaneRequest =>
  (model, stream, max_tokens) => ({ path, body: { model, max_tokens, stream, messages: MESSAGES } });

/** One short question in each format that callers speak. */
const LANE_REQUESTS: Readonly<Record<CallerDialectName, LaneRequest>> = {
  'openai-chat': ofMessages(PATHS['openai-chat']),
  'anthropic-messages': ofMessages(PATHS['anthropic-messages']),
  'openai-responses': (model, stream, max_output_tokens) => ({
    path: '/v1/responses',
    body: { model, max_output_tokens, stream, input: MESSAGES },
  }),
  gemini: (model, streamed, maxOutputTokens) => ({
    path: `/v1beta/models/${model}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: CONTENTS, generationConfig: { maxOutputTokens } },
  }),
};

/** The size of a lane's prompt in a tokenizer that counts words, if the provider does not report it. */
export function countedPrompt({ dialect }: AnyLane): number {
  return Math.ceil(JSON.stringify(dialect === 'gemini' ? CONTENTS : MESSAGES).length / 6);
}

const CONTENTS = [{ role: 'user', parts: [{ text: 'hi' }] }];

function lane(dialect: DialectUnderTest, upstream: DialectUnderTest, provider: string): Lane {
  const name = dialect === upstream ? dialect : `${dialect} to ${upstream}`;
  return { name, dialect, upstream, model: `numbered/${provider}` };
}
