/** A gateway whose model `scripted/model` is served, in chat completions and in Messages, by a provider that a test scripts. */
import { type Script, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';
import { type GatewayOptions, startGateway, type TestGateway } from './start-gateway.ts';
import { answerWell } from './upstream-scripts.ts';

export const SCRIPTED_MODEL = 'scripted/model';
/** Never shown to a caller, a log or a metric: tests look for it. */
export const SCRIPTED_CREDENTIAL = 'canary-credential-of-the-scripted-provider';

export interface Bench {
  readonly gateway: TestGateway;
  readonly upstream: ScriptedUpstream;
  /** Stops both; returns what the gateway printed. */
  stop(): Promise<string>;
}

export async function startGatewayWithUpstream(
  options: GatewayOptions = {},
  script: Script = answerWell,
): Promise<Bench> {
  const upstream = await startScriptedUpstream(script);
  const provider = {
    name: 'scripted',
    kind: 'custom',
    origin: upstream.origin,
    credential: SCRIPTED_CREDENTIAL,
    dialects: ['openai-chat', 'anthropic-messages'],
    models: [{ id: SCRIPTED_MODEL, upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 128_000 }],
  };
  const gateway = await startGateway({ ...options, config: { providers: [provider], ...options.config } }).catch(
    async (error: unknown) => {
      // An upstream left open would keep the test's process from ending, and hide why.
      await upstream.close();
      throw error;
    },
  );
  return {
    gateway,
    upstream,
    async stop() {
      try {
        return await gateway.stop();
      } finally {
        await upstream.close();
      }
    },
  };
}
