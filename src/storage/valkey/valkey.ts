/**
 * The connection to Valkey or Redis, for what may be forgotten. Nothing waits for it: without a connection a script rejects at once, and
 * after a second in any case. It connects again by itself.
 */
import { once } from 'node:events';
import type { Redis } from 'ioredis';
import type { Secret } from '../../core/secret.ts';
import { guardReplies } from './reply-guard.ts';
import { EXCHANGE_COUNTS, EXCHANGE_NOTICES } from './scripts.ts';
import { valkeyAt, valkeyTrouble } from './valkey-trouble.ts';

const ANSWER_MS = 1_000;
const CONNECT_MS = 2_000;
const RECONNECT_MS_MAX = 2_000;

export interface ValkeyOptions {
  /** `redis://`, `rediss://`; with a password, so it is never shown. */
  readonly url: Secret;
  /** Differs between installations that share a server. */
  readonly name: string;
}

type ScriptWord = string | number;

export class Valkey {
  readonly #client: Redis;
  /** `Valkey at host:port`, without the password. */
  readonly place: string;
  /** Why the last attempt to connect failed; null while it is connected. */
  #connecting: Error | null = null;
  /** Before every key. In braces, so that a cluster keeps all of them in one place. */
  readonly prefix: string;
  /** How many there have been. With a new one, the server may be another, which lacks the last that was sent. */
  connections = 0;

  private constructor(client: Redis, { url, name }: ValkeyOptions) {
    this.place = valkeyAt(url.reveal());
    this.#client = client;
    this.prefix = `{turnpike:${name}}:`;
  }

  /** Resolves at once, connected or not. Throws if the URL is none. */
  static async open({ url, name }: ValkeyOptions): Promise<Valkey> {
    // Only who uses it pays for loading it.
    const { Redis: Client } = await import('ioredis');
    const client = new Client(url.reveal(), {
      // The one that is guarded, and all that our scripts need.
      protocol: 2,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: ANSWER_MS,
      connectTimeout: CONNECT_MS,
      // A host that is gone without a word closes no connection.
      socketTimeout: 2 * ANSWER_MS,
      retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_MS_MAX),
      // After a failover the old primary only reads.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
      connectionName: 'turnpike',
      scripts: { exchangeCounts: { lua: EXCHANGE_COUNTS }, exchangeNotices: { lua: EXCHANGE_NOTICES } },
    });
    const valkey = new Valkey(client, { url, name });
    // Each caller learns of it from its own rejection.
    client.on('error', (error: Error) => {
      valkey.#connecting = error;
      // A reply that answers no command: those that follow would answer others than they are for.
      if (error.message.startsWith('Command queue state error')) client.stream.destroy();
    });
    client.on('ready', () => {
      valkey.#connecting = null;
    });
    // Before anything of it is read.
    client.on('connect', () => {
      valkey.connections += 1;
      guardReplies(client.stream);
    });
    return valkey;
  }

  get isReady(): boolean {
    return this.#client.status === 'ready';
  }

  /** Resolves once it is connected. */
  async connected(): Promise<void> {
    if (!this.isReady) await once(this.#client, 'ready');
  }

  /** Runs a script of `scripts.ts`; `keys` are without the prefix. */
  run(
    script: 'exchangeCounts' | 'exchangeNotices',
    keys: readonly string[],
    words: readonly ScriptWord[],
  ): Promise<unknown> {
    const run = (this.#client as unknown as Record<string, RunScript>)[script] as RunScript;
    const answer = run.call(this.#client, keys.length, ...keys.map((key) => this.prefix + key), ...words);
    return answer.catch((error: Error) => {
      if (error.message.startsWith('WRONGTYPE')) throw new ForeignValue(this.prefix, { cause: error });
      const trouble = { at: this.place, connecting: this.#connecting, answerMs: ANSWER_MS };
      throw new Error(valkeyTrouble(error, trouble), { cause: error });
    });
  }

  /** Sends nothing more, and waits for nothing. */
  close(): void {
    this.#client.disconnect();
  }
}

/** Another program has written below the names of this installation. What it wrote is left alone. */
export class ForeignValue extends Error {
  constructor(prefix: string, options: ErrorOptions) {
    const name = prefix.slice(1, -2);
    super(
      `a key of Valkey that begins with "${prefix}" has a value of another type, which Turnpike did not write; remove it, or give "${name}" a server or a database of its own`,
      options,
    );
  }
}

type RunScript = (keyCount: number, ...words: readonly ScriptWord[]) => Promise<unknown>;
