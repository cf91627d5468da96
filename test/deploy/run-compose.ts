/**
 * Starts the services of a compose file as processes of this machine: the same commands with the same environment, in the same
 * order, judged by the same health checks. In place of a network, each service has a loopback address of its own, which replaces
 * its name wherever the file or a mounted configuration names it; in place of volumes and mounts, folders below one that is removed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pause } from '../prove/support/load/pause.ts';
import { type ComposeFile, type ComposeService, milliseconds, startOrder } from './read-compose.ts';

export interface ComposeAround {
  /** The folder of the compose file. */
  readonly folder: string;
  /** An empty folder for volumes. */
  readonly scratch: string;
  /** Prepares an image's entry point; returns the program to run. */
  readonly programs: Readonly<Record<string, (start: ServiceStart) => Promise<StartedProgram> | StartedProgram>>;
  /** Where the commands of health checks are, by name, if not on PATH. */
  readonly tools: Readonly<Record<string, Tool>>;
}

export interface Tool {
  readonly file: string;
  /** In addition. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ServiceStart {
  readonly name: string;
  readonly address: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The folder or file on this machine for each path inside the container. */
  readonly mounts: ReadonlyMap<string, string>;
}

export interface StartedProgram {
  readonly file: string;
  readonly parameters: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly uid?: number;
}

export interface RunningService {
  readonly address: string;
  readonly process: ChildProcess;
  /** All it printed so far. */
  printed(): string;
}

const START_PATIENCE_MS = 60_000;

export class RunningCompose {
  readonly services = new Map<string, RunningService>();
  readonly #compose: ComposeFile;
  readonly #around: ComposeAround;

  constructor(compose: ComposeFile, around: ComposeAround) {
    this.#compose = compose;
    this.#around = around;
  }

  /** `docker compose up --wait`: resolves when every service is healthy; rejects with what an unhealthy one printed. */
  async up(): Promise<void> {
    for (const name of startOrder(this.#compose)) {
      const { depends_on: needs } = this.#service(name);
      await Promise.all(Object.keys(needs).map((needed) => this.waitUntilHealthy(needed)));
      await this.start(name);
    }
    await Promise.all([...this.services.keys()].map((name) => this.waitUntilHealthy(name)));
  }

  /** Starts one service, which must not run. */
  async start(name: string): Promise<void> {
    const service = this.#service(name);
    const address = this.addressOf(name);
    const mounts = this.#mounts(name, service);
    const inside = (text: string) => this.#translated(text, mounts, address);
    const program = this.#around.programs[imageName(service.image)];
    if (program === undefined) throw new Error(`no program stands for the image ${service.image}`);
    const { file, parameters, cwd, environment, uid } = await program({
      name,
      address,
      command: (service.command ?? []).map(inside),
      environment: Object.fromEntries(Object.entries(service.environment).map(([key, text]) => [key, inside(text)])),
      mounts,
    });
    const child = spawn(file, parameters, {
      cwd,
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
    this.services.set(name, { address, process: child, printed: () => output });
    await once(child, 'spawn');
  }

  /** Rejects if it ended, or its health check does not succeed within the file's own patience. */
  async waitUntilHealthy(name: string): Promise<void> {
    const running = this.services.get(name);
    if (running === undefined) throw new Error(`${name} was not started`);
    const { interval, timeout, test } = this.#service(name).healthcheck;
    const until = Date.now() + START_PATIENCE_MS;
    while (Date.now() < until) {
      if (hasEnded(running.process)) throw new Error(`${name} ended:\n${running.printed()}`);
      if (await this.#isHealthy(name, test.slice(1), milliseconds(timeout))) return;
      await pause(Math.min(milliseconds(interval), 250));
    }
    throw new Error(`${name} is not healthy after ${START_PATIENCE_MS} ms:\n${running.printed()}`);
  }

  /** SIGTERM, and SIGKILL when its grace period is over; resolves to its exit code, or null if it was killed. */
  async stop(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const running = this.services.get(name);
    if (running === undefined) return null;
    const { process: child } = running;
    if (!hasEnded(child)) {
      const exited = once(child, 'exit');
      child.kill(signal);
      const killing = setTimeout(() => child.kill('SIGKILL'), milliseconds(this.#service(name).stop_grace_period));
      await exited;
      clearTimeout(killing);
    }
    this.services.delete(name);
    return child.exitCode;
  }

  /** Ends everything, in reverse order. */
  async down(): Promise<void> {
    for (const name of [...startOrder(this.#compose)].reverse()) await this.stop(name);
  }

  /** The loopback address in place of a service's name. */
  addressOf(name: string): string {
    const at = Object.keys(this.#compose.services).indexOf(name);
    return `127.77.${process.pid % 250}.${at + 1}`;
  }

  #service(name: string): ComposeService {
    const service = this.#compose.services[name];
    if (service === undefined) throw new Error(`there is no service ${name}`);
    return service;
  }

  #mounts(name: string, { volumes }: ComposeService): Map<string, string> {
    const mounts = new Map<string, string>();
    for (const mount of volumes) {
      const [source = '', target = ''] = mount.split(':');
      const at = join(this.#around.scratch, name, target);
      mkdirSync(source.startsWith('.') ? dirname(at) : at, { recursive: true });
      if (source.startsWith('.')) {
        const text = readFileSync(resolve(this.#around.folder, source), 'utf8');
        writeFileSync(at, this.#withAddresses(text));
      }
      mounts.set(target, at);
    }
    return mounts;
  }

  async #isHealthy(name: string, words: readonly string[], timeoutMs: number): Promise<boolean> {
    const service = this.#service(name);
    const mounts = this.#mounts(name, { ...service, volumes: [] });
    const [command = '', ...rest] = words.map((word) => this.#translated(word, mounts, this.addressOf(name)));
    const { file, environment } = this.#around.tools[command] ?? { file: command, environment: {} };
    const child = spawn(file, rest, {
      stdio: 'ignore',
      timeout: timeoutMs,
      env: { PATH: process.env['PATH'], HOST: this.addressOf(name), ...environment },
    });
    const code = await new Promise<number | null>((settle, reject) => {
      child.once('error', (cause) => reject(new Error(`The health check of ${name} needs ${command}.`, { cause })));
      child.once('exit', settle);
    });
    return code === 0;
  }

  #translated(text: string, mounts: ReadonlyMap<string, string>, address: string): string {
    if (text === '0.0.0.0') return address;
    return mounts.get(text) ?? this.#withAddresses(text);
  }

  /** A name counts where a host can stand: alone, after `@`, `//`, `=` or a space, before `:`, `/` or the end; not as a scheme. */
  #withAddresses(text: string): string {
    let replaced = text;
    for (const name of Object.keys(this.#compose.services))
      replaced = replaced.replaceAll(
        new RegExp(`(?<=^|@|//|=|server |listen )${name}(?=$|/|:(?!//))`, 'gm'),
        this.addressOf(name),
      );
    return replaced;
  }
}

function imageName(image: string): string {
  return image.split(':')[0] ?? image;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
