/**
 * `node bench/large-catalogue.ts`: what a gateway with many providers and models costs. It starts the real program twice on a made-up
 * configuration, reloads it, asks for lists of models, imports price tables, and prints how long that took and the processor time of the longest
 * turn of the server's event loop meanwhile; then, in this process, how long it takes to choose the candidates of a call.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { newSecret } from '../src/accounts/secret/key-secret.ts';
import { configuredCatalog } from '../src/app/configured-catalog.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { accountId, keyId, projectId } from '../src/core/ids.ts';
import { chooseCandidates } from '../src/routing/choose-candidates.ts';
import { PLAIN_ROUTING } from '../src/routing/ports.ts';

const { values } = parseArgs({
  options: {
    providers: { type: 'string', default: '500' },
    models: { type: 'string', default: '20000' },
    /** Providers of each model. */
    targets: { type: 'string', default: '2' },
  },
});
const [PROVIDERS, MODELS, TARGETS] = [values.providers, values.models, values.targets].map(Number) as [
  number,
  number,
  number,
];
const CLI = join(import.meta.dirname, '..', 'src', 'cli.ts');
const REPEATS = 5;
/** A second, of Linux. */
const CLOCK_TICKS = 100;

const folder = await mkdtemp(join(tmpdir(), 'turnpike-catalogue-'));
try {
  await writeFile(join(folder, 'turnpike.yaml'), JSON.stringify(configuration()));
  console.log(`${PROVIDERS} providers, ${MODELS} models, each at ${TARGETS} of them\n`);
  const key = newSecret().reveal();
  for (const which of ['first', 'second']) {
    const server = await start(key);
    const [seconds, cpu, memory] = [
      server.startedMs / 1_000,
      await cpuSecondsOf(server.child),
      await memoryOf(server.child),
    ];
    console.log(`${which} start: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, ${memory} MB resident`);
    if (which === 'first') await measureReload(server);
    if (which === 'second') {
      await measureRequests(server, key);
      await measureImports(server);
    }
    server.child.kill('SIGTERM');
    await once(server.child, 'exit');
  }
  await measureChoosing();
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface BenchModel {
  readonly id: string;
  readonly upstream: string;
  readonly prices?: object;
  readonly [option: string]: unknown;
}

function configuration() {
  const models = Array.from({ length: PROVIDERS }, (): BenchModel[] => []);
  for (let model = 0; model < MODELS; model += 1)
    for (let target = 0; target < TARGETS; target += 1)
      models[(model * 7 + target * 101) % PROVIDERS]?.push({
        id: `lab-${model % 300}/model-${model}-instruct`,
        upstream: `model-${model}`,
        name: `Model ${model}`,
        contextWindow: [8_000, 128_000, 1_000_000][model % 3],
        outputCap: 8_000,
        // The others are free until prices are imported.
        ...(model % 2 === 0 && { prices: { input: String((model % 50) / 10), output: String((model % 70) / 5) } }),
        inputModalities: model % 4 === 0 ? ['text', 'image'] : ['text'],
        parameters: model % 2 === 0 ? ['max_tokens', 'temperature', 'tools'] : ['max_tokens', 'reasoning'],
      });
  return {
    port: 0,
    dataFolder: join(folder, 'data'),
    demo: false,
    dashboard: { publicModels: true },
    providers: models.map((each, index) => ({
      name: `provider-${index}`,
      kind: 'custom',
      origin: `http://127.0.0.1:${10_000 + index}`,
      models: each,
    })),
  };
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly startedMs: number;
  /** Resolves once its output has something. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Processor time of its longest turn of the event loop since the last question, ms. */
  worstTurn(): Promise<number>;
}

async function start(key: string): Promise<Server> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', join(import.meta.dirname, 'watch-loop.ts'), CLI, 'serve'], {
    cwd: folder,
    env: { ...process.env, BOOTSTRAP_KEY: key, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let look = () => {};
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const refuse = (code: number | null) => reject(new Error(`it ended with ${code}:\n${output.slice(-2_000)}`));
      child.once('exit', refuse);
      look = () => {
        const found = pattern.exec(output);
        if (found === null) return;
        child.off('exit', refuse);
        look = () => {};
        resolve(found);
      };
      look();
    });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes;
      look();
    });
  const [url] = await printed(/http:\/\/127\.0\.0\.1:\d+/);
  const startedMs = performance.now() - startedAt;
  let reports = 0;
  const worstTurn = async () => {
    reports += 1;
    child.kill('SIGUSR2');
    const [, worst] = await printed(new RegExp(`loop-cpu ${reports} (\\S+)`));
    return Number(worst);
  };
  return { child, url, startedMs, printed, worstTurn };
}

async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}

/** With all its threads. */
async function cpuSecondsOf({ pid }: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

/** With another name for one model, and an entry whose warning shows when the new file is in effect. */
async function measureReload(server: Server): Promise<void> {
  const changed = configuration();
  const [model] = changed.providers[0]?.models ?? [];
  if (model !== undefined) Object.assign(model, { name: 'Another' });
  const billing = { modelMarkups: [{ model: 'no/such-model', markup: 1 }] };
  await writeFile(join(folder, 'turnpike.yaml'), JSON.stringify({ ...changed, billing }));
  await server.worstTurn();
  const [startedAt, before] = [performance.now(), await cpuSecondsOf(server.child)];
  server.child.kill('SIGHUP');
  await server.printed(/unknown_model/);
  const [seconds, cpu] = [(performance.now() - startedAt) / 1_000, (await cpuSecondsOf(server.child)) - before];
  const worst = await server.worstTurn();
  console.log(
    `a reload: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, longest turn ${worst.toFixed(0)} ms of CPU, ${await memoryOf(server.child)} MB resident afterwards`,
  );
  await writeFile(join(folder, 'turnpike.yaml'), JSON.stringify(configuration()));
}

async function measureRequests(server: Server, key: string): Promise<void> {
  const own = { authorization: `Bearer ${key}` };
  const asked: [string, string, Record<string, string>?][] = [
    ['all models', '/api/v1/models'],
    ['a page of 500', '/api/v1/models?limit=500&offset=5000'],
    ['search', '/api/v1/models?q=model-77&limit=100'],
    [
      'every filter',
      '/api/v1/models?supported_parameters=tools&input_modalities=image&context=100000&max_price=3&limit=100',
    ],
    ['sorted by price', '/api/v1/models?sort=pricing-low-to-high&limit=100'],
    ['sorted by name', '/api/v1/models?sort=name&limit=100'],
    ['count', '/api/v1/models/count?free=false'],
    ["OpenAI's list", '/v1/models'],
    ["Codex's list", '/v1/models?client_version=1'],
    ["Anthropic's first page", '/v1/models', { 'anthropic-version': '2023-06-01' }],
    ['endpoints of a model', '/api/v1/models/lab-77/model-77-instruct/endpoints'],
    ['providers', '/api/v1/providers'],
    ['what visitors see', '/api/public/models'],
    ['metrics', '/metrics'],
    ['a model that does not exist', '/api/v1/model/lab-77/model-77-intsruct'],
  ];
  await server.worstTurn();
  console.log('\n| request | first, ms | then, ms | kB | longest turn, CPU ms |\n| --- | ---: | ---: | ---: | ---: |');
  for (const [what, path, headers] of asked) {
    const times: number[] = [];
    let bytes = 0;
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const startedAt = performance.now();
      const answer = await fetch(server.url + path, { headers: { ...own, ...headers } });
      bytes = (await answer.arrayBuffer()).byteLength;
      times.push(performance.now() - startedAt);
    }
    await row(server, what, times, bytes);
  }
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const startedAt = performance.now();
    const answer = await fetch(`${server.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { ...own, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'lab-77/model-77-intsruct', messages: [{ role: 'user', content: 'x' }] }),
    });
    await answer.text();
    times.push(performance.now() - startedAt);
  }
  await row(server, 'a call to an unknown model', times, 0);
  console.log(`\nafterwards: ${await memoryOf(server.child)} MB resident\n`);
}

/** Of prices for the half of the models that have none in the configuration: all, a hundredth of them, and none that is new. */
async function measureImports(server: Server): Promise<void> {
  const table = (input: (row: number) => string) => {
    const { providers } = configuration();
    const rows = providers.flatMap(({ name, models }) =>
      models.flatMap(({ upstream, prices }) => (prices === undefined ? { provider: name, model: upstream } : [])),
    );
    return { prices: rows.map((each, at) => ({ ...each, input: input(at), output: '8' })) };
  };
  const changed = (at: number) => (at % 100 === 0 ? '3' : '2');
  for (const [what, prices] of [
    ['all prices', table(() => '2')],
    ['a hundredth of them', table(changed)],
    ['none that is new', table(changed)],
  ] as const) {
    const file = join(folder, 'prices.json');
    await writeFile(file, JSON.stringify(prices));
    await server.worstTurn();
    const startedAt = performance.now();
    const before = await cpuSecondsOf(server.child);
    await promisify(execFile)(process.execPath, [CLI, 'models', 'import', file, '--allow-suspicious', '--json'], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    const cpu = (await cpuSecondsOf(server.child)) - before;
    const worst = await server.worstTurn();
    console.log(
      `a table of ${prices.prices.length} prices, ${what} changed: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s, ${cpu.toFixed(1)} s of the server's CPU, longest turn ${worst.toFixed(0)} ms of CPU`,
    );
  }
}

async function row(server: Server, what: string, times: readonly number[], bytes: number): Promise<void> {
  const [first = 0, ...rest] = times;
  const then = rest.toSorted((a, b) => a - b)[Math.floor(rest.length / 2)] ?? first;
  const worst = await server.worstTurn();
  const cells = [what, first.toFixed(0), then.toFixed(0), (bytes / 1_000).toFixed(0), worst.toFixed(0)];
  console.log(`| ${cells.join(' | ')} |`);
}

/** In this process, without a network. */
async function measureChoosing(): Promise<void> {
  const { config } = loadConfig({ flags: {}, environment: {}, cwd: folder });
  const startedAt = performance.now();
  const { catalog } = await configuredCatalog(config);
  console.log(`the catalogue is built in ${(performance.now() - startedAt).toFixed(0)} ms`);
  const caller = { id: keyId(1), rootId: keyId(1), accountId: accountId(1), projectId: projectId(1) };
  const facts = { catalog, mayUse: () => true, aliases: PLAIN_ROUTING.aliases, caller };
  for (const [what, model] of [
    ['by its id', 'lab-77/model-77-instruct'],
    ['by its bare name', 'model-77-instruct'],
    ['that does not exist', 'lab-77/model-77-intsruct'],
  ]) {
    const choose = () => {
      try {
        chooseCandidates({ model: model ?? '' }, facts, null);
      } catch {
        // An unknown model is what is measured.
      }
    };
    const firstAt = performance.now();
    choose();
    const firstMs = performance.now() - firstAt;
    const rounds = what === 'that does not exist' ? 50 : 20_000;
    const fastest = Math.min(
      ...Array.from({ length: 5 }, () => {
        const roundAt = performance.now();
        for (let round = 0; round < rounds; round += 1) choose();
        return (performance.now() - roundAt) / rounds;
      }),
    );
    console.log(
      `choosing for a model ${what}: ${(fastest * 1_000).toFixed(1)} µs, the first time ${firstMs.toFixed(1)} ms`,
    );
  }
}
