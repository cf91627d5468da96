/**
 * The whole gateway with a scripted provider, in all lanes, with the ledger's own rows of each call.
 * Every model's tokenizer counts words, so the cost of a cut answer can be computed in advance.
 */
import { generationId } from '../../src/core/ids.ts';
import { inLedger, type SettledCall } from '../prove/support/ledger-file.ts';
import { numberedProviders } from '../prove/support/numbered-provider.ts';
import { type ConfigFile, type DialectUnderTest, type OpenGateway, openGateway, PATHS } from './open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';
import { StreamReader } from './stream-reader.ts';
import { answerWell } from './upstream-scripts.ts';

/** How a call goes: the caller's format, and the provider's. */
export interface Lane {
  readonly name: string;
  readonly dialect: DialectUnderTest;
  readonly upstream: DialectUnderTest;
  readonly model: string;
}

export const LANES: readonly Lane[] = [
  lane('openai-chat', 'openai-chat', 'both'),
  lane('anthropic-messages', 'anthropic-messages', 'both'),
  lane('openai-chat', 'anthropic-messages', 'messages'),
  lane('anthropic-messages', 'openai-chat', 'chat'),
];

export interface LedgerBench extends OpenGateway {
  readonly upstream: ScriptedUpstream;
  /** Makes one call, waits until it ends, and returns its row; `act` is what the caller, or another party, does meanwhile. */
  settle(asked: Asked, script: Script, act?: (reader: StreamReader) => unknown): Promise<SettledCall>;
}

export interface Asked {
  readonly lane: Lane;
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
    providers: numberedProviders(upstream.origin),
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
      return settlementOf(gateway.dataFolder, generationId(callId));
    },
    async close() {
      await gateway.close();
      await upstream.close();
    },
  };
}

export function settlementOf(dataFolder: string, id: string): SettledCall {
  const found = inLedger(dataFolder, (file) => {
    file.check();
    return file.settlements().find((each) => each.id === id);
  });
  if (found === undefined) throw new Error(`${id} is not settled`);
  return found;
}

export function requestBytes(
  { url, key }: Pick<OpenGateway, 'url' | 'key'>,
  { lane: { dialect, model }, streamed, outputCap = OUTPUT_CAP }: Asked,
): string {
  const body = JSON.stringify({ model, max_tokens: outputCap, stream: streamed, messages: MESSAGES });
  return (
    `POST ${PATHS[dialect]} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

function lane(dialect: DialectUnderTest, upstream: DialectUnderTest, provider: string): Lane {
  const name = dialect === upstream ? dialect : `${dialect} to ${upstream}`;
  return { name, dialect, upstream, model: `numbered/${provider}` };
}
