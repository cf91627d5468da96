/** A gateway, as a process, in front of one strict provider a format: the same conversations over each. */
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { startStrictAnthropic } from '../support/strict-anthropic.ts';
import { startStrictGemini } from '../support/strict-gemini.ts';
import { startStrictOpenai } from '../support/strict-openai.ts';
import { startStrictResponses } from '../support/strict-responses.ts';
import type { StrictServer } from '../support/strict-server.ts';

const CREDENTIAL = 'canary-credential-of-the-strict-providers';
const prices = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };

interface Backend {
  /** How the proof's table calls it. */
  readonly name: string;
  readonly dialect: string;
  /** The built-in kind; `custom` for a server that is set up by its paths. */
  readonly kind: string;
  /** The name of its model at the provider, which the strict provider knows traits by. */
  readonly upstream: string;
  readonly thinking?: 'budget';
  /** Only of a `custom` one. */
  readonly chatPath: string | null;
  start(credential: string): Promise<StrictServer>;
}

const backends: readonly Backend[] = [
  {
    name: 'openai-chat',
    kind: 'custom',
    dialect: 'openai-chat',
    upstream: 'gpt',
    chatPath: '/v1/chat/completions',
    start: startStrictOpenai,
  },
  {
    name: 'openai-responses',
    kind: 'openai',
    dialect: 'openai-responses',
    upstream: 'responses-new-stores',
    chatPath: null,
    start: startStrictResponses,
  },
  {
    name: 'anthropic',
    kind: 'custom',
    dialect: 'anthropic-messages',
    upstream: 'claude-budget',
    thinking: 'budget',
    chatPath: '/v1/messages',
    start: startStrictAnthropic,
  },
  {
    name: 'gemini',
    kind: 'google',
    dialect: 'gemini',
    upstream: 'gemini-3-pro',
    chatPath: null,
    start: startStrictGemini,
  },
];

export interface Backends {
  readonly gateway: TestGateway;
  /** Name of a backend → the id of its model. */
  readonly models: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

export async function openBackends(): Promise<Backends> {
  const servers = await Promise.all(backends.map(({ start }) => start(CREDENTIAL)));
  const providers = backends.map(({ name, kind, dialect, upstream, thinking, chatPath }, index) => ({
    name: `strict-${name}`,
    kind,
    origin: servers[index]?.origin,
    credential: CREDENTIAL,
    dialects: [dialect],
    ...(chatPath !== null && { chatPaths: { [dialect]: chatPath } }),
    models: [{ id: `${name}/model`, upstream, prices, outputCap: 64_000, ...(thinking && { thinking }) }],
  }));
  const gateway = await startGateway({ config: { providers } });
  return {
    gateway,
    models: new Map(backends.map(({ name }) => [name, `${name}/model`])),
    async close() {
      await gateway.stop();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
