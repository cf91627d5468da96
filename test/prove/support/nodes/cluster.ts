/**
 * Several nodes of the real program on one PostgreSQL of their own, each with a folder of its own, that a proof may stop, kill, deprive of
 * their disk, and start again.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { newSecret } from '../../../../src/accounts/secret/key-secret.ts';
import type { ConfigFile } from '../../../support/open-gateway.ts';
import { installedMajors } from '../../../support/postgres/installations.ts';
import { type PostgresServer, startServer } from '../../../support/postgres/start-server.ts';
import { type Installation, newInstallation } from '../../../support/serve-process.ts';
import { pause } from '../load/pause.ts';
import { type Death, type SpawnedServer, spawnServer } from '../spawned-server.ts';
import { LedgerDatabase } from './ledger-database.ts';

export interface ClusterOptions {
  readonly nodes: number;
  /** The configuration of every node. */
  readonly file: ConfigFile;
  /** Of every node, in addition to the database and the secrets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the node with this index, in addition; may name a proxy as `DATABASE_URL`. */
  readonly environmentOf?: (index: number, databaseUrl: string) => Readonly<Record<string, string>>;
  /** A prefix of the command of the node with this index. */
  readonly beforeOf?: (index: number) => readonly string[];
  /** The `cli.ts` of another version, which the nodes begin with. */
  readonly program?: string;
  /** The server; by default a new one. It is stopped with the cluster. */
  readonly postgres?: PostgresServer;
  /** The port at which nodes reach the database that listens at `port`: a proxy's. */
  readonly reach?: (port: number) => Promise<number>;
  /** Settings of PostgreSQL, as on its command line. */
  readonly settings?: readonly string[];
}

export class ClusterNode {
  readonly name: string;
  readonly installation: Installation;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #before: readonly string[];
  readonly #program: string | undefined;
  #server: SpawnedServer | null = null;
  #url: string | null = null;

  constructor(
    name: string,
    installation: Installation,
    environment: Readonly<Record<string, string>>,
    { before, program }: { readonly before: readonly string[]; readonly program: string | undefined },
  ) {
    this.name = name;
    this.installation = installation;
    this.#environment = environment;
    this.#before = before;
    this.#program = program;
  }

  /** Its address; it must have been started. */
  get url(): string {
    assert.ok(this.#url !== null, `${this.name} runs`);
    return this.#url;
  }

  get server(): SpawnedServer {
    assert.ok(this.#server !== null, `${this.name} runs`);
    return this.#server;
  }

  get isRunning(): boolean {
    return this.#url !== null;
  }

  /** Resolves when it serves: in the version that the nodes began with, or in this one. */
  async start(version: 'first version' | 'this version' = 'first version'): Promise<void> {
    const program = version === 'first version' ? this.#program : undefined;
    const options = { environment: this.#environment, before: this.#before };
    this.#server = spawnServer(this.installation, program === undefined ? options : { ...options, program });
    const url = await this.#server.ready;
    assert.ok(url !== null, `${this.name} did not start:\n${this.#server.printed()}`);
    this.#url = url;
  }

  /** `kill -9`, or as if it had crashed. */
  async kill(death: Death = 'SIGKILL'): Promise<void> {
    this.#url = null;
    await this.#server?.kill(death);
  }

  /** SIGTERM; resolves to the exit code. */
  async stop(): Promise<number | null> {
    const { process: child, gone } = this.server;
    child.kill('SIGTERM');
    await gone;
    this.#url = null;
    return child.exitCode;
  }

  /** Its journal and everything else in its folder is lost; it must not run. */
  async loseDisk(): Promise<void> {
    await rm(this.installation.dataFolder, { recursive: true, force: true });
  }
}

export class Cluster {
  readonly postgres: PostgresServer;
  readonly nodes: readonly ClusterNode[];
  readonly key: string;

  private constructor(postgres: PostgresServer, nodes: readonly ClusterNode[], key: string) {
    this.postgres = postgres;
    this.nodes = nodes;
    this.key = key;
  }

  /** Starts all nodes. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const [major] = installedMajors();
    assert.ok(major !== undefined, 'PostgreSQL is installed');
    const postgres = options.postgres ?? (await startServer(major, options.settings));
    const nodes: ClusterNode[] = [];
    const key = newSecret().reveal();
    const url = new URL(postgres.url);
    if (options.reach !== undefined) url.port = String(await options.reach(postgres.port));
    for (let index = 0; index < options.nodes; index += 1) nodes.push(await newNode(index, key, url.href, options));
    const cluster = new Cluster(postgres, nodes, key);
    try {
      // The first one migrates, and makes the first key.
      for (const node of nodes) await node.start();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  get running(): readonly ClusterNode[] {
    return this.nodes.filter(({ isRunning }) => isRunning);
  }

  /** Looks at what is committed. */
  async inLedger<Seen>(look: (ledger: LedgerDatabase) => Promise<Seen>): Promise<Seen> {
    const ledger = await LedgerDatabase.open(this.postgres.url);
    try {
      return await look(ledger);
    } finally {
      await ledger.close();
    }
  }

  /** Makes one statement as the database's owner. */
  async execute(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  /** Resolves when live nodes have sent everything that they have settled; the database may be away meanwhile. */
  async untilForwarded(withinMs: number): Promise<void> {
    const waiting = () => this.inLedger((ledger) => ledger.sum(UNSENT)).catch(() => null);
    for (const until = performance.now() + withinMs; performance.now() < until; await pause(50))
      if ((await waiting()) === 0n) return;
    throw new Error(`nodes did not forward what they had settled within ${withinMs} ms`);
  }

  async close(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    await this.postgres.stop();
    for (const { installation } of this.nodes) await rm(installation.folder, { recursive: true, force: true });
  }
}

/** A node that lost its disk has registered again as another one: nobody sends what the former had. */
const UNSENT = `select count(*) from nodes where state = 'live' and unsent_from is not null
  and not exists (select from nodes as later where later.name = nodes.name and later.epoch > nodes.epoch)`;

const SECRETS = {
  TURNPIKE_PEPPER: '0123456789abcdef'.repeat(4),
  TURNPIKE_SEALING_KEY: 'fedcba9876543210'.repeat(4),
};

async function newNode(index: number, key: string, databaseUrl: string, options: ClusterOptions): Promise<ClusterNode> {
  const name = `node-${index + 1}`;
  const installation = { ...(await newInstallation(options.file)), key };
  const environment = {
    DATABASE_URL: databaseUrl,
    ...SECRETS,
    TURNPIKE_NODES_NAME: name,
    ...options.environment,
    ...options.environmentOf?.(index, databaseUrl),
  };
  const how = { before: options.beforeOf?.(index) ?? [], program: options.program };
  return new ClusterNode(name, installation, environment, how);
}
