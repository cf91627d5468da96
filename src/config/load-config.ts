/**
 * Loads the options (`config/schema.ts`) from all layers: defaults < turnpike.yaml < environment < command line. A
 * configuration with any problem is refused as a whole, with all its problems and their places.
 */
import { resolve } from 'node:path';
import { runAtOnce, type Steps } from '../core/turns/steps.ts';
import { checkNodeAuthorities, findAuthorities } from './authorities.ts';
import type { Config, ConfigRequest, LoadedConfig, Parsed } from './config.ts';
import { checkDatabase } from './database/check-database.ts';
import { Environment, type Variable } from './environment.ts';
import { type Complaint, explainIssue } from './explain-issue.ts';
import { findFile } from './find-file.ts';
import { freeze } from './freeze.ts';
import { isLackable, LEFT_OUT, leaveOut, pathOfFile } from './lacking.ts';
import { listOrigins } from './list-origins.ts';
import { type Option, options, type Path, pathText } from './options.ts';
import { parseTree } from './parse-tree.ts';
import { placeOf } from './place-of.ts';
import { ConfigError, type Problem } from './problem.ts';
import { addProvidersOfEnvironment } from './provider-variables.ts';
import { checkProviders, complaintsOfKinds, type ProviderConfig } from './providers.ts';
import { readText } from './read-text.ts';
import { readYaml } from './read-yaml.ts';
import { unknownVariables } from './unknown-variables.ts';

/** Flags that set an option, and `config`, which names the file. */
export const configFlags: readonly string[] = options.flatMap((option) => option.flag ?? []).concat('config');

/** Reads all layers. Throws `ConfigError` with everything that is wrong; what may be left out hides no other fault. */
export function loadConfig(request: ConfigRequest): LoadedConfig {
  return runAtOnce(loadConfigInSteps(request));
}

/** The same for a server that has calls to serve meanwhile. */
export function* loadConfigInSteps(request: ConfigRequest): Steps<LoadedConfig> {
  const { mayLack, ...strict } = request;
  if (mayLack === undefined) return yield* load(strict, 'whole');
  try {
    const whole = yield* load(request, 'whole');
    return whole.lacking.length === 0 ? whole : yield* load(request, 'rest');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // No problems: only what may be left out prevented reading the whole.
    if (error.problems.length === 0) return yield* load(request, 'rest');
    // Leave nothing out, so that each problem is reported at its own place.
    return yield* load(strict, 'whole');
  }
}

/**
 * Loads either the `whole`, in which unset variables stay as they are written, so that names and shapes can be checked, or
 * the `rest` without what `mayLack` allows to be left out. Throws a `ConfigError` without problems if only missing values are
 * at fault.
 */
function* load(request: ConfigRequest, extent: 'whole' | 'rest'): Steps<LoadedConfig> {
  const { mayLack } = request;
  const environment = new Environment(request.environment, request.cwd);
  const ofProviders = new Environment(request.environment, request.cwd);
  const lacking: Problem[] = [];
  const problems: Problem[] = [];
  const found = yield* findFile(request, problems);
  yield;
  const file =
    found === null
      ? null
      : yield* readYaml(found.text, found.name, ({ 0: first }) => (first === 'providers' ? ofProviders : environment));
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
  // Anything but a list is kept, for the schema to refuse.
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
  const parsed = yield* parseTree(tree);
  if ('issues' in parsed) {
    const complaints = parsed.issues.flatMap((issue) => explainIssue(issue));
    // Names first: another program's name may be the reason why a field is missing.
    const { name = [], shape = [] } = Object.groupBy(complaints, ({ of }) => (of === 'name' ? 'name' : 'shape'));
    const kinds = complaintsOfKinds(tree['providers']).map((complaint) => ({ ...complaint, of: 'value' as const }));
    const reported = problems.slice();
    for (const { path, message, of } of [...name, ...shape, ...kinds]) {
      // Text with an unset or malformed variable has been reported; its wrong type adds nothing.
      if (
        of !== 'name' &&
        (isUnset(path, of) || reported.some((problem) => problem.message.startsWith(`${pathText(path)}:`)))
      )
        continue;
      problems.push({ where: where(path), message: `${pathText(path)}: ${message}` });
    }
    throw new ConfigError([...problems, ...notSet]);
  }
  const authorities = findAuthorities(parsed.upstream.caFile, request.cwd);
  if (authorities.problem !== null) {
    const path = ['upstream', 'caFile'];
    const problem = { where: where(path), message: `${pathText(path)}: ${authorities.problem}` };
    (mayLack === undefined ? problems : lacking).push(problem);
  }
  for (const { path, message, variable } of checkDatabase(parsed)) {
    const at = variable === null ? where(path) : `environment ${variable}`;
    if (isUnset(path) || (mayLack === 'all' && variable === null)) continue;
    (mayLack === 'all' ? lacking : problems).push({ where: at, message: `${pathText(path)}: ${message}` });
  }
  const checked = yield* checkProviders(parsed.providers, providers.sources, { where, isUnset }, problems);
  problems.push(...notSet);
  if (problems.length > 0) throw new ConfigError(problems);
  const config = finish(
    { ...parsed, upstream: { ...parsed.upstream, caFile: authorities.file } },
    checked,
    request.cwd,
  );
  const source = (path: Path) => placeOf(path, sources, file, found?.name ?? null, 'exact');
  const frozen = yield* freeze(config);
  yield;
  return {
    config: frozen,
    origins: listOrigins(frozen, source, where),
    file: found?.name ?? null,
    source: found?.source ?? null,
    warnings: [
      ...unknownVariables(request.environment),
      ...providers.incomplete,
      ...checkNodeAuthorities(environment, request.cwd),
    ],
    lacking,
  };
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

function setAt(tree: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let node = tree;
  for (const part of path.slice(0, -1)) {
    const child = node[part];
    // A group that has another type in the file is kept, for the schema to refuse.
    if (child !== undefined && (typeof child !== 'object' || child === null)) return;
    node[part] ??= {};
    node = node[part] as Record<string, unknown>;
  }
  node[path[path.length - 1] as string] = value;
}

function finish(parsed: Parsed, providers: readonly ProviderConfig[], cwd: string): Config {
  const publicUrl = parsed.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? null;
  const durability = parsed.durability ?? (parsed.database.url === null ? 'process' : 'database');
  return { ...parsed, publicUrl, durability, dataFolder: resolve(cwd, parsed.dataFolder), providers };
}
