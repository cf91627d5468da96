/**
 * Every option, its default and its explanation (`config/schema.ts`), and where the values of this
 * run come from: defaults < turnpike.yaml < environment < command line. A configuration with any
 * problem is refused whole, with all its problems and their places at once.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { readAuthorities } from '../upstream/authorities.ts';
import { type ConfigSource, configSource } from './config-source.ts';
import { Environment, type Variable } from './environment.ts';
import { type Complaint, explainIssue } from './explain-issue.ts';
import { type Option, options, type Path, pathText } from './options.ts';
import { listOrigins, type Origin } from './origins.ts';
import { ConfigError, type Problem } from './problem.ts';
import { addProvidersOfEnvironment } from './provider-variables.ts';
import { checkProviders, complaintsOfKinds, type ProviderConfig } from './providers.ts';
import { readText } from './read-text.ts';
import { readYaml, type YamlFile } from './read-yaml.ts';
import { configSchema } from './schema.ts';
import { unknownVariables } from './unknown-variables.ts';

export type { ConfigSource } from './config-source.ts';
export type { Origin } from './origins.ts';
export { ConfigError, isFlag, type Problem } from './problem.ts';
export type { ProviderConfig } from './providers.ts';

type Parsed = z.output<typeof configSchema>;

/** The options in effect: plain, frozen, complete. Secrets are wrapped; `dataFolder` is absolute. */
export type Config = DeepReadonly<Omit<Parsed, 'providers'>> & { readonly providers: readonly ProviderConfig[] };

export interface ConfigRequest {
  /** Command-line flags by name, without dashes: `{ port: '9000', config: 'x.yaml' }`. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What relative paths start from. */
  readonly cwd: string;
  /**
   * Whether a value may be left out that comes from a variable which is not set, or a file of a secret which cannot be read:
   * none when absent; with `serving`, what only a server needs, of which a provider goes whole; or all but the data folder's, for
   * whoever looks for a server.
   */
  readonly mayLack?: MayLack;
}

export type MayLack = 'serving' | 'all';

export interface LoadedConfig {
  readonly config: Config;
  /** Option → its value for display (secrets masked) and where it came from. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The file that was read, or null when there is none. */
  readonly file: string | null;
  /** The same file for other processes. */
  readonly source: ConfigSource | null;
  /** What nothing reads and was probably meant for us, and what Node passes over; no reason not to serve. */
  readonly warnings: readonly Problem[];
  /** What was left out by `mayLack`. */
  readonly lacking: readonly Problem[];
}

/** Flags that set an option; `config` is not one of them: it names the file. */
export const configFlags: readonly string[] = options.flatMap((option) => option.flag ?? []).concat('config');

/** Reads all layers. Throws `ConfigError` with everything that is wrong: what may be left out hides no other fault. */
export function loadConfig(request: ConfigRequest): LoadedConfig {
  const { mayLack, ...strict } = request;
  if (mayLack === undefined) return load(strict, 'whole');
  try {
    const whole = load(request, 'whole');
    return whole.lacking.length === 0 ? whole : load(request, 'rest');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // No problem: it is only for what is lacking that the whole could not be read.
    if (error.problems.length === 0) return load(request, 'rest');
    // Nothing left out: each problem at its own place.
    return load(strict, 'whole');
  }
}

/**
 * Either `whole`, where variables that are not set stay as they are written, so that names and shapes can be judged, or the `rest`
 * without what `mayLack` lets be left out. Throws a `ConfigError` without problems where only what is lacking is in the way.
 */
function load(request: ConfigRequest, extent: 'whole' | 'rest'): LoadedConfig {
  const { mayLack } = request;
  const environment = new Environment(request.environment, request.cwd);
  const ofProviders = new Environment(request.environment, request.cwd);
  const lacking: Problem[] = [];
  const problems: Problem[] = [];
  const found = findFile(request, problems);
  const file =
    found === null
      ? null
      : readYaml(found.text, found.name, ({ 0: first }) => (first === 'providers' ? ofProviders : environment));
  problems.push(...(file?.problems ?? []));

  const tree: Record<string, unknown> = file?.tree ?? {};
  const notSet: Problem[] = [];
  for (const { path, ...problem } of file?.unset ?? []) {
    const isLeftOut = isLackable(path, mayLack);
    (isLeftOut ? lacking : notSet).push(problem);
    if (isLeftOut && extent === 'rest') leaveOut(tree, path);
  }
  if (Array.isArray(tree['providers'])) tree['providers'] = tree['providers'].filter((entry) => entry !== LEFT_OUT);
  const sources = new Map<string, string>();
  for (const option of options) overlay(option, tree, sources, request, environment);
  const inFile = Array.isArray(tree['providers']) ? tree['providers'] : [];
  const providers = addProvidersOfEnvironment(inFile, ofProviders);
  // Anything but a list stays as it is, for the schema to refuse.
  if (tree['providers'] === undefined || Array.isArray(tree['providers'])) tree['providers'] = providers.entries;
  for (const { index, field, source } of providers.brought) {
    if (index >= inFile.length) sources.set(`providers[${index}]`, source);
    sources.set(`providers[${index}].${field}`, source);
  }
  for (const problem of environment.problems)
    (isLackable(pathOfFile(problem.where), mayLack) ? lacking : problems).push(problem);
  const reported = new Set(environment.problems.map(({ where }) => where));
  for (const problem of ofProviders.problems)
    if (!reported.has(problem.where)) (mayLack === undefined ? problems : lacking).push(problem);

  const where = (path: Path) => placeOf(path, sources, file, found?.name ?? null);
  const unset = (extent === 'whole' ? (file?.unset ?? []) : []).map(({ path }) => pathText(path));
  const isUnset = (path: Path, of: Complaint['of'] = 'value') =>
    unset.some((text) => text === pathText(path) || (of === 'alternatives' && text.startsWith(`${pathText(path)}[`)));
  const parsed = configSchema.safeParse(tree, { reportInput: true });
  if (!parsed.success) {
    const complaints = parsed.error.issues.flatMap((issue) => explainIssue(issue));
    // Names first: another program's, say, is why what is missing is missing.
    const { name = [], shape = [] } = Object.groupBy(complaints, ({ of }) => (of === 'name' ? 'name' : 'shape'));
    const kinds = complaintsOfKinds(tree['providers']).map((complaint) => ({ ...complaint, of: 'value' as const }));
    const reported = problems.slice();
    for (const { path, message, of } of [...name, ...shape, ...kinds]) {
      // Text with a variable that is not set, or that is no variable, was told of: that it has the wrong type says nothing new.
      if (
        of !== 'name' &&
        (isUnset(path, of) || reported.some((told) => told.message.startsWith(`${pathText(path)}:`)))
      )
        continue;
      problems.push({ where: where(path), message: `${pathText(path)}: ${message}` });
    }
    throw new ConfigError([...problems, ...notSet]);
  }
  const authorities = findAuthorities(parsed.data.upstream.caFile, request.cwd);
  if (authorities.problem !== null) {
    const path = ['upstream', 'caFile'];
    const problem = { where: where(path), message: `${pathText(path)}: ${authorities.problem}` };
    (mayLack === undefined ? problems : lacking).push(problem);
  }
  const checked = checkProviders(parsed.data.providers, providers.sources, { where, isUnset }, problems);
  problems.push(...notSet);
  if (problems.length > 0) throw new ConfigError(problems);
  const config = finish(
    { ...parsed.data, upstream: { ...parsed.data.upstream, caFile: authorities.file } },
    checked,
    request.cwd,
  );
  const source = (path: Path) => placeOf(path, sources, file, found?.name ?? null, 'exact');
  return {
    config: deepFreeze(config),
    origins: listOrigins(config, source, where),
    file: found?.name ?? null,
    source: found?.source ?? null,
    warnings: [...unknownVariables(request.environment), ...checkNodeAuthorities(environment, request.cwd)],
    lacking,
  };
}

/** JSON Schema of `turnpike.yaml`, for editors. */
export function configJsonSchema(): unknown {
  return {
    ...z.toJSONSchema(configSchema, {
      io: 'input',
      unrepresentable: 'any',
      override({ jsonSchema }) {
        // Prices may be written as numbers: the reader keeps their digits.
        if (jsonSchema['decimal'] === true) (jsonSchema as { type?: unknown }).type = ['string', 'number'];
        for (const note of ['decimal', 'environment', 'environmentToo', 'flag', 'secret']) delete jsonSchema[note];
      },
    }),
    title: 'turnpike.yaml',
  };
}

const SYSTEM_FILE = '/etc/turnpike/turnpike.yaml';

/** The first file that applies. One that was named must be there; the customary places may be empty. */
function findFile(
  request: ConfigRequest,
  problems: Problem[],
): { readonly name: string; readonly text: string; readonly source: ConfigSource } | null {
  const named: Variable | null =
    request.flags['config'] !== undefined
      ? { value: request.flags['config'], source: 'flag --config' }
      : new Environment(request.environment, request.cwd).read('TURNPIKE_CONFIG');
  const candidates =
    named === null ? [join(request.cwd, 'turnpike.yaml'), SYSTEM_FILE] : [resolve(request.cwd, named.value)];
  for (const path of candidates) {
    try {
      const text = readFileSync(path, 'utf8');
      return { name: displayPath(path, request.cwd), text, source: configSource(path, text) };
    } catch (error) {
      if (named === null && (error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      problems.push({ where: named?.source ?? path, message: `the file cannot be read: ${(error as Error).message}` });
      return null;
    }
  }
  return null;
}

function overlay(
  option: Option,
  tree: Record<string, unknown>,
  sources: Map<string, string>,
  request: ConfigRequest,
  environment: Environment,
): void {
  const flag = option.flag === null ? undefined : request.flags[option.flag];
  const readVariable = (name: string) => (option.secret ? environment.readSecret(name) : environment.read(name));
  const variable: Variable | null =
    flag !== undefined
      ? { value: flag, source: `flag --${option.flag}` }
      : ((option.environmentToo === null ? null : readVariable(option.environmentToo)) ??
        readVariable(option.environment));
  if (variable !== null) {
    setAt(tree, option.path, readText(variable.value, option.kinds));
    sources.set(pathText(option.path), variable.source);
  } else if (
    option.path[0] === 'demo' &&
    tree['demo'] === undefined &&
    request.environment['NODE_ENV'] === 'production'
  ) {
    tree['demo'] = false;
    sources.set('demo', 'environment NODE_ENV');
  }
}

/** What decides how data is read and written: without it a command would do something else than the server. */
const GUARDS_DATA = new Set<unknown>([
  ...['dataFolder', 'pepper', 'sealingKey', 'bootstrapKey', 'durability', 'billing', 'timeouts'],
  ...['limits', 'records', 'idempotency', 'capture'],
]);

function isLackable([first]: Path, mayLack: MayLack | undefined): boolean {
  if (mayLack === 'all') return first !== 'dataFolder';
  return mayLack === 'serving' && !GUARDS_DATA.has(first);
}

/** The option that a variable with the name of a file is about. */
function pathOfFile(where: string): Path {
  return (
    options.find(({ environment, environmentToo }) =>
      [environment, environmentToo].some((name) => where === `environment ${name}_FILE`),
    )?.path ?? []
  );
}

/** Stands for an entry of a list, so that the others keep their places until all are read. */
const LEFT_OUT = Symbol('left out');

/** A provider goes whole: half of one could be called at another address, or without a credential. */
function leaveOut(tree: Record<string, unknown>, path: Path): void {
  const [first, index] = path;
  const list = tree['providers'];
  if (first === 'providers' && Array.isArray(list) && typeof index === 'number') {
    list[index] = LEFT_OUT;
    return;
  }
  // Of a list all goes: what is left of it means something else.
  const inList = path.findIndex((part) => typeof part === 'number');
  const names = (inList === -1 ? path : path.slice(0, inList)) as readonly string[];
  let node: Record<string, unknown> | undefined = tree;
  for (const part of names.slice(0, -1)) node = node?.[part] as Record<string, unknown> | undefined;
  delete node?.[names.at(-1) as string];
}

function setAt(tree: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let node = tree;
  for (const part of path.slice(0, -1)) {
    const child = node[part];
    // A group that the file holds as something else stays, for the schema to refuse.
    if (child !== undefined && (typeof child !== 'object' || child === null)) return;
    node[part] ??= {};
    node = node[part] as Record<string, unknown>;
  }
  node[path[path.length - 1] as string] = value;
}

/** The nearest place above a path that is known: a missing field is reported at the entry that lacks it. */
function placeOf(
  path: Path,
  sources: ReadonlyMap<string, string>,
  file: YamlFile | null,
  name: string | null,
  precision: 'exact' | 'nearest' = 'nearest',
): string {
  const shortest = precision === 'exact' ? path.length : 1;
  for (let length = path.length; length >= shortest; length -= 1) {
    const text = pathText(path.slice(0, length));
    const source = sources.get(text);
    if (source !== undefined) return source;
    const line = file?.lines.get(text);
    if (line !== undefined) return `${name}:${line}`;
  }
  return 'default';
}

/** Node itself says one line on standard error of a file that it cannot read, and goes on without it. */
function checkNodeAuthorities(environment: Environment, cwd: string): readonly Problem[] {
  const named = environment.read('NODE_EXTRA_CA_CERTS');
  const { problem } = findAuthorities(named?.value ?? null, cwd);
  if (named === null || problem === null) return [];
  return [{ where: named.source, message: `${problem}; providers whose certificates need it are not reached` }];
}

/** `file` is absolute, and null with a problem. */
function findAuthorities(
  named: string | null,
  cwd: string,
): { readonly file: string | null; readonly problem: string | null } {
  if (named === null) return { file: null, problem: null };
  const file = resolve(cwd, named);
  try {
    readAuthorities(file);
    return { file, problem: null };
  } catch (error) {
    return { file: null, problem: (error as Error).message };
  }
}

function finish(parsed: Parsed, providers: readonly ProviderConfig[], cwd: string): Config {
  const publicUrl = parsed.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? null;
  return { ...parsed, publicUrl, dataFolder: resolve(cwd, parsed.dataFolder), providers };
}

function displayPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends Record<string, unknown>
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** Plain objects and lists only: a `Secret` guards itself. */
function deepFreeze<Value>(value: Value): Value {
  if (
    Array.isArray(value) ||
    (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
  ) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
