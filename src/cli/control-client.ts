/**
 * A command's connection to the control plane: that of the running server, over the socket in the data folder, otherwise the same handlers
 * in this process after taking the folder's lock. There is no race if the server ends in between: the process with the lock owns the
 * folder.
 */
import { request } from 'node:http';
import { storageOf } from '../app/open-storage.ts';
import type { LoadedConfig, MayLack } from '../config/config.ts';
import { isFlag } from '../config/problem.ts';
import { controlSocketPath } from '../storage/folder/control-socket.ts';
import { nodesFolder } from '../storage/move/left-behind.ts';
import { AnsweredError, CommandFailed, UsageError } from './command-errors.ts';
import type { Doors, OpenedApp } from './doors.ts';
import type { Program } from './program.ts';

export interface ControlClient {
  /** `server` if a server runs; otherwise this process has the data folder for itself. */
  readonly via: 'server' | 'folder';
  /** The body of a successful answer, as JSON text. Throws `AnsweredError` with the handler's message. */
  call(method: Method, path: string, body?: unknown, options?: CallOptions): Promise<string>;
  close(): Promise<void>;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface CallOptions {
  /** How long a running server may take to answer; requests that read the whole ledger need longer. */
  readonly patienceMs?: number;
}

/** Except for requests that read the whole ledger, the slowest is a connection test of a provider. */
const ANSWER_TIMEOUT_MS = 30_000;

/** A path with query parameters; null values are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

export interface ControlOptions {
  /** Whether to create a data folder if there is none; otherwise throws `UsageError` or `CommandFailed`. */
  readonly mayBegin: boolean;
  readonly note: (line: string) => void;
  readonly program: Program;
  /** Whether to report providers that are left out because a variable is not set. */
  readonly usesProviders: boolean;
}

/** The configuration as far as it can be read; see `ConfigRequest`. */
export type LoadLacking = (mayLack: MayLack) => LoadedConfig;

export async function openControlClient(
  load: LoadLacking,
  doors: Doors,
  { mayBegin, note, program, usesProviders }: ControlOptions,
): Promise<ControlClient> {
  // A running server has its own variables; only the data folder is needed here.
  const { config: found, origins } = load('all');
  const { dataFolder } = found;
  const running = await connectToServer(dataFolder);
  if (running !== null) return running;
  const elsewhere = found.database.url === null ? nodesFolder(dataFolder) : null;
  if (elsewhere !== null) throw new CommandFailed(elsewhere);
  const isEmpty = !storageOf(found).hasData(dataFolder);
  if (!mayBegin && isEmpty) {
    const message = `no Turnpike data in ${dataFolder}; start the server first (\`${program.serve}\`) or check --data`;
    throw isFlag(origins.get('dataFolder')?.source ?? '') ? new UsageError(message) : new CommandFailed(message);
  }
  const { config, lacking } = load('serving');
  if (usesProviders)
    for (const { where, message } of lacking) note(`${where}: ${message}; providers that need it are left out`);
  // Standard output belongs to the command's result.
  const app = await doors.openApp({ ...config, log: { ...config.log, level: 'silent' } }, { mayBegin });
  if (isEmpty) note(`${dataFolder} is a new data folder.`);
  return new FolderClient(app);
}

/** Null when no server listens on the data folder's socket. */
export async function connectToServer(dataFolder: string): Promise<ControlClient | null> {
  const client = new ServerClient(controlSocketPath(dataFolder));
  try {
    await client.call('GET', '/control/api/status');
    return client;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // No socket, or one that a killed server left.
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    if (error instanceof AnsweredError && error.status === 404)
      throw new CommandFailed(`The server running on ${dataFolder} has a different version; restart it first.`);
    if (code === 'EACCES')
      throw new CommandFailed(`The data folder ${dataFolder} belongs to another user; run this command as its owner.`);
    throw error;
  }
}

class ServerClient implements ControlClient {
  readonly via = 'server';
  readonly #socketPath: string;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  call(method: Method, path: string, body?: unknown, options: CallOptions = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const payload = body === undefined ? null : JSON.stringify(body);
      const outgoing = request(
        {
          socketPath: this.#socketPath,
          method,
          path,
          agent: false,
          timeout: options.patienceMs ?? ANSWER_TIMEOUT_MS,
          headers:
            payload === null
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            try {
              resolve(readAnswer(incoming.statusCode ?? 0, Buffer.concat(chunks).toString('utf8')));
            } catch (error) {
              reject(error);
            }
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new CommandFailed('The running server does not respond.')));
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }

  async close(): Promise<void> {}
}

class FolderClient implements ControlClient {
  readonly via = 'folder';
  readonly #app: OpenedApp;

  constructor(app: OpenedApp) {
    this.#app = app;
  }

  async call(method: Method, path: string, body?: unknown): Promise<string> {
    const answer = await this.#app.control.inject({
      method,
      url: path,
      ...(body === undefined ? {} : { payload: body as Record<string, unknown> }),
    });
    return readAnswer(answer.statusCode, answer.body);
  }

  close(): Promise<void> {
    return this.#app.close();
  }
}

function readAnswer(status: number, text: string): string {
  if (status >= 200 && status < 300) return text;
  let message = `The control plane returned status ${status}.`;
  try {
    message = (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    // Not our error format: only the status is known.
  }
  throw new AnsweredError(message, status);
}
