/** Several gateways on one PostgreSQL database, within the test's own process, and a provider that they all call. */
import { randomBytes } from 'node:crypto';
import { type ConfigFile, type OpenGateway, openGateway, scriptedProvider } from './open-gateway.ts';
import { createDatabase, type TestDatabase } from './postgres/database.ts';
import type { ServerName } from './postgres/servers.ts';
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';
import { NODE_SECRETS } from './test-storage.ts';
import { answerWell } from './upstream-scripts.ts';

export { NODE_SECRETS };

export interface TestNodes {
  readonly nodes: readonly OpenGateway[];
  /** An inference key of the default project, good at each of them. */
  readonly key: string;
  readonly database: TestDatabase;
  readonly upstream: ScriptedUpstream;
  /** Another node on the same database. */
  add(): Promise<OpenGateway>;
  /** The configuration of a node, as a file. */
  fileOf(name: string): ConfigFile;
  close(): Promise<void>;
}

/** With the model `scripted/model` of `open-gateway.ts`. */
export async function startNodes(count: number, server: ServerName, file: ConfigFile = {}): Promise<TestNodes> {
  const closing = new AsyncDisposableStack();
  const database = await createDatabase(server);
  closing.defer(() => database.drop());
  const upstream = await startScriptedUpstream(answerWell);
  closing.defer(() => upstream.close());
  const pepper = randomBytes(32).toString('hex');
  const fileOf = (name: string): ConfigFile => ({
    ...NODE_SECRETS,
    // Its name in a Valkey that others use, too.
    pepper,
    database: { url: database.url },
    providers: [scriptedProvider('scripted', upstream.origin)],
    ...file,
    nodes: { ...(file['nodes'] as object | undefined), name },
  });
  const nodes: OpenGateway[] = [];
  const add = async () => {
    const node = await openGateway(fileOf(`node-${nodes.length + 1}`));
    closing.defer(() => node.close());
    nodes.push(node);
    return node;
  };
  try {
    for (let each = 0; each < count; each += 1) await add();
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
  return { nodes, key: nodes[0]?.key ?? '', database, upstream, add, fileOf, close: () => closing.disposeAsync() };
}
