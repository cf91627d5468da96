/**
 * The whole gateway within the test's own process, so that a test can move its clock, look at its
 * records and replace its storage; callers still reach it over real sockets.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { newSecret } from '../../src/accounts/secret/key-secret.ts';
import { type App, type AppParts, openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type RelayDialectName, relayDialects } from '../../src/dialects/index.ts';
import type { Call } from '../../src/gateway/call.ts';
import { NO_LOAD } from '../../src/gateway/capacity/load-guard.ts';
import type { CallRecord } from '../../src/stats/record.ts';
import { addMigratedDatabase } from '../../src/storage/sqlite/engine/migrated-database.ts';
import { openLog } from '../../src/telemetry/log.ts';
import { dashboardOnce } from './dashboard-once.ts';
import { PLENTY } from './plenty.ts';
import { RawConnection } from './raw-connection.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';
import { newTestStorage } from './test-storage.ts';
import { answerWell } from './upstream-scripts.ts';

export interface OpenGateway {
  readonly app: App;
  readonly url: string;
  readonly key: string;
  readonly dataFolder: string;
  /** Of the database in which `TURNPIKE_TEST_STORAGE` puts the ledger; null if it is in the data folder. */
  readonly databaseUrl: string | null;
  /** Every record so far, in the order in which the calls ended. */
  readonly records: readonly CallRecord[];
  /** Every call that was let in, from within; the newest last. */
  readonly calls: readonly Call[];
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** The next call to be let in. */
  nextCall(): Promise<Call>;
  /** The record of the next call to end. */
  nextRecord(): Promise<CallRecord>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  connect(): Promise<RawConnection>;
  close(): Promise<void>;
}

/** `turnpike.yaml` as an object, beyond port and data folder. */
export type ConfigFile = Readonly<Record<string, unknown>>;

export async function openGateway(
  file: ConfigFile = {},
  parts: Pick<AppParts, 'clock' | 'environment' | 'load'> = {},
): Promise<OpenGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-open-'));
  const dataFolder = join(folder, 'data');
  const key = newSecret().reveal();
  const storage = await newTestStorage(file);
  // JSON is YAML, so the file needs no separate writer.
  await writeFile(
    join(folder, 'turnpike.yaml'),
    JSON.stringify({ port: 0, dataFolder, demo: false, ...PLENTY, ...storage.file, ...file }),
  );
  const { config } = loadConfig({ flags: {}, environment: { BOOTSTRAP_KEY: key }, cwd: folder });
  if (config.database.url === null) await addMigratedDatabase(config.dataFolder);
  const log: string[] = [];
  const destination = new Writable({
    write(line: Buffer, _encoding, done) {
      log.push(line.toString());
      done();
    },
  });
  // A busy machine must not make the gateway shed a test's calls.
  const app = await openApp(config, {
    load: NO_LOAD,
    files: dashboardOnce,
    ...parts,
    log: openLog({ level: 'info', format: 'json', destination }),
  });
  const { records, calls, nextRecord, nextCall } = listen(app);
  const { url } = await app.listen();
  await app.begin();
  return {
    app,
    url,
    key,
    dataFolder,
    databaseUrl: storage.url,
    records,
    calls,
    log,
    nextCall,
    nextRecord,
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      }),
    connect: () => RawConnection.open(url),
    async close() {
      await app.close();
      await storage.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Notified of every admitted call, and of every record on its way to the store. */
function listen({ gateway }: App): Pick<OpenGateway, 'records' | 'calls' | 'nextRecord' | 'nextCall'> {
  const calls: Call[] = [];
  const waitingForCalls: ((call: Call) => void)[] = [];
  const enter = gateway.running.enter.bind(gateway.running);
  gateway.running.enter = (call) => {
    enter(call);
    calls.push(call as Call);
    waitingForCalls.shift()?.(call as Call);
  };
  const records: CallRecord[] = [];
  const waiting: ((record: CallRecord) => void)[] = [];
  const append = gateway.records.append.bind(gateway.records);
  gateway.records.append = (record) => {
    append(record);
    records.push(record);
    waiting.shift()?.(record);
  };
  return {
    records,
    calls,
    nextRecord: () => new Promise((resolve) => waiting.push(resolve)),
    nextCall: () => new Promise((resolve) => waitingForCalls.push(resolve)),
  };
}

export interface OpenBench extends OpenGateway {
  readonly upstream: ScriptedUpstream;
}

export const OPEN_MODEL = 'scripted/model';

/** With a scripted provider for the model `scripted/model`: 1 USD a million tokens in, 5 out. */
export async function openBench(
  file: ConfigFile = {},
  parts: Pick<AppParts, 'clock' | 'environment' | 'load'> = {},
  script: Script = answerWell,
): Promise<OpenBench> {
  return openBenchWith(await startScriptedUpstream(script), file, parts);
}

/** The same with a provider that runs; it is closed together with the gateway. */
export async function openBenchWith(
  upstream: ScriptedUpstream,
  file: ConfigFile = {},
  parts: Pick<AppParts, 'clock' | 'environment' | 'load'> = {},
): Promise<OpenBench> {
  const gateway = await openGateway({ providers: [scriptedProvider('scripted', upstream.origin)], ...file }, parts);
  return {
    ...gateway,
    upstream,
    async close() {
      await gateway.close();
      await upstream.close();
    },
  };
}

export function scriptedProvider(name: string, origin: string): object {
  return {
    name,
    kind: 'custom',
    origin,
    credential: `canary-credential-of-${name}`,
    dialects: DIALECTS,
    models: [{ id: OPEN_MODEL, upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 128_000 }],
  };
}

/** The two formats in which the gateway itself is tested, where nothing depends on the format; the rest is tested per dialect. */
export const DIALECTS = ['openai-chat', 'anthropic-messages'] as const satisfies readonly RelayDialectName[];
export type DialectUnderTest = (typeof DIALECTS)[number];
/** The paths where calls of each are sent. */
export const PATHS = Object.fromEntries(
  DIALECTS.map((name) => [name, relayDialects[name].paths[0].pattern]),
) as Readonly<Record<DialectUnderTest, string>>;

export function chatBody(stream: boolean, content = 'hi', model: string = OPEN_MODEL): object {
  return { model, max_tokens: 99, stream, messages: [{ role: 'user', content }] };
}

/** The same request as bytes, for callers that are not HTTP clients. */
export function rawCall(
  { url, key }: Pick<OpenGateway, 'url' | 'key'>,
  dialect: DialectUnderTest,
  stream: boolean,
  content = 'hi',
): string {
  const body = JSON.stringify(chatBody(stream, content));
  return (
    `POST ${PATHS[dialect]} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

interface AnyError {
  readonly code?: unknown;
  readonly details?: { readonly code?: unknown };
  readonly metadata?: { readonly error_type?: unknown };
}

/** The stable code of an error, in any dialect, in a stream or not; null if there is no error. */
export function errorCode(parsed: unknown): string | null {
  const { error } = parsed as { readonly error?: AnyError };
  const codes = [error?.details?.code, error?.code, error?.metadata?.error_type];
  return codes.find((code) => typeof code === 'string') ?? null;
}

/** The parsed data of a stream's events, `[DONE]` as that text. */
export function eventsOf(text: string): unknown[] {
  return text
    .split(/\r\n\r\n|\n\n|\r\r/)
    .flatMap((frame) => frame.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:')))
    .map((line) => line.slice('data:'.length).trim())
    .map((data): unknown => (data === '[DONE]' ? data : JSON.parse(data)));
}

/** Whether a stream says that it is whole. */
export function endsProperly(text: string): boolean {
  return /data: ?\[DONE\]|message_stop|response\.completed|"finishReason"/.test(text);
}
