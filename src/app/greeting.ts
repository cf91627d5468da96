/** What the server prints when it is ready. The key is printed once, on the run that created it. */
import { isAbsolute, relative } from 'node:path';
import type { FirstRun } from '../accounts/first-run.ts';
import type { ListedProvider } from '../catalog/listed-provider.ts';
import type { Config } from '../config/config.ts';
import { formatUsd, type Money, NO_MONEY } from '../core/money.ts';
import { VERSION } from '../core/version.ts';
import { callerDialects, defaultCallerDialect } from '../dialects/index.ts';
import { requestPath } from '../dialects/interface/caller-path.ts';
import { providerKinds } from '../providers/index.ts';
import type { ProviderDeclaration } from '../providers/provider.ts';
import { addressOf } from '../storage/postgres/engine/server-address.ts';
import type { App } from './app.ts';

export interface Greeted {
  readonly url: string;
  readonly config: Config;
  readonly app: App;
  /** What this start created; null if there was a key already. */
  readonly firstRun: FirstRun | null;
  /** The balance of the first account; zero with billing off. */
  readonly credit: Money;
  /** Since the process started. */
  readonly readyMs: number;
  /** The link that creates the admin account; null once there is one. */
  readonly setUpLink: string | null;
}

export function greeting({ url, config, app, firstRun, credit, readyMs, setUpLink }: Greeted): string {
  if (firstRun === null) {
    const ready = `turnpike ${VERSION} ready in ${seconds(readyMs)} on ${url} (${dataOf(config)})`;
    return [
      ready,
      ...(config.publicUrl === null ? [] : [`Public URL: ${config.publicUrl}`]),
      ...providerLines(app),
      ...(setUpLink === null ? [] : [`No one can sign in yet. Set up the dashboard (one use, 24 hours): ${setUpLink}`]),
    ].join('\n');
  }
  const key = firstRun.secret.reveal();
  return [
    '',
    `  turnpike ${VERSION}  ready in ${seconds(readyMs)}      ${dataOf(config)}   Node ${process.versions.node}`,
    '',
    `  Address   ${url}${config.publicUrl === null ? '' : `, public URL ${config.publicUrl}`}`,
    ...(setUpLink === null
      ? []
      : [`  Dashboard ${setUpLink}`, '            creates the admin account; works once, for 24 hours']),
    `  API key   ${key}`,
    `            shown once; account "${firstRun.account.name}"${creditText(credit)}, project "${firstRun.project.name}"`,
    '',
    ...tryIt(url, key, app),
    '',
    ...(hasProvider(app) ? providerLines(app).map((line) => `  ${line}`) : HOW_TO_ADD),
    '',
  ].join('\n');
}

/** Those that are enough by themselves; the first is in the example. */
const [, ...OTHER_VARIABLES] = Object.values<ProviderDeclaration>(providerKinds).flatMap((kind) => {
  const { environmentVariable, origin, options } = kind;
  const isEnough = origin !== null && Object.values(options).every(({ isRequired }) => !isRequired);
  return isEnough && environmentVariable !== null ? environmentVariable : [];
});
const NAMED_VARIABLES = 3;

const HOW_TO_ADD = [
  '  Add a real provider in the dashboard (Providers), or restart with its key in the environment, e.g.',
  '            OPENAI_API_KEY=… npm start',
  `  (${OTHER_VARIABLES.slice(0, NAMED_VARIABLES).join(', ')} and ${OTHER_VARIABLES.length - NAMED_VARIABLES} others: see docs/guide/providers.md),`,
  '  or add it to turnpike.yaml (Azure, Bedrock and Vertex too): see turnpike.example.yaml.',
];

const SOURCES: Readonly<Record<ListedProvider['source'], string>> = {
  file: 'configuration file',
  environment: 'environment',
  dashboard: 'database',
  'built-in': 'built in',
};

function hasProvider(app: App): boolean {
  return realProviders(app).length > 0;
}

/** All but the built-in demo. */
function realProviders({ providers }: App): readonly ListedProvider[] {
  return providers.list().filter(({ source }) => source !== 'built-in');
}

/** A start at a terminal should still show the address and the key. */
const NAMED_PROVIDERS = 20;

/** One line per provider: where it is configured, and how many models it serves, or why none. Of many, the first ones. */
function providerLines(app: App): string[] {
  const all = realProviders(app);
  const lines = all.slice(0, NAMED_PROVIDERS).map((provider, index) => {
    const { name, origin, callsTo, source } = provider;
    return `${(index === 0 ? 'Providers' : '').padEnd(10)}${name} (${SOURCES[source]}, ${callsTo[0] ?? origin}): ${stateOf(provider)}`;
  });
  const more = all.length - lines.length;
  return more === 0 ? lines : [...lines, `${''.padEnd(10)}and ${more} more: turnpike providers list`];
}

function stateOf({ isEnabled, problem, models }: ListedProvider): string {
  if (problem !== null) return problem;
  if (!isEnabled) return 'disabled';
  if (models === 0) return 'serves no models yet; add its models in its entry or in the dashboard';
  return models === 1 ? '1 model' : `${models} models`;
}

/** The credit to try things with. */
function creditText(credit: Money): string {
  return credit === NO_MONEY ? '' : ` with $${formatUsd(credit)} credit`;
}

function tryIt(url: string, key: string, app: App): string[] {
  const models = app.gateway.catalog
    .all()
    .filter(
      ({ outputModalities, targets: [first] }) => outputModalities.includes('text') && first?.dialects.length !== 0,
    );
  const model = models.find(({ id }) => id === 'demo/echo') ?? models[0];
  if (model === undefined) return ['  Try it    add a provider first (see below): no models are available yet'];
  const spoken: readonly string[] = model.targets[0]?.dialects ?? [];
  const callers = Object.values(callerDialects);
  const dialect = callers.find(({ name }) => name === spoken[0]) ?? defaultCallerDialect;
  const { path } = requestPath(dialect.paths[0], model.id);
  const body = JSON.stringify(dialect.exampleBody(model.id));
  return [
    '  Try it    (paste the whole line)',
    `curl ${url}${path} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`,
  ];
}

/** Where everything is that must not be lost; never the user and the password of a database. */
function dataOf({ database, dataFolder }: Config): string {
  if (database.url === null) return `data in ${shown(dataFolder)}`;
  const { database: name, server } = addressOf(database.url.reveal());
  return `data in ${name} at ${server}, journal in ${shown(dataFolder)}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || isAbsolute(short) ? path : `./${short}`;
}
