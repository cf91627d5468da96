/** `turnpike providers`: who is configured, and whether they answer. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findProviderKind } from '../../providers/index.ts';
import type { Command, CommandContext, Flags } from '../command.ts';
import { CommandFailed, UsageError } from '../command-errors.ts';
import type { ControlClient } from '../control-client.ts';
import { paint, printTable, readExact, readJson, shownText } from '../output.ts';
import { type HealthRow, troubleText } from './provider-health.ts';
import { advisePrice, type GivenModel, servesText, unpricedModels } from './provider-prices.ts';

export interface ProviderRow {
  readonly name: string;
  readonly kind: string;
  readonly display_name: string;
  readonly origin: string;
  /** The address of a call in each of `dialects`. */
  readonly calls_to: readonly string[];
  /** Null where it is connected to directly. */
  readonly proxy: string | null;
  readonly dialects: readonly string[];
  readonly models: number;
  readonly source: string;
  readonly is_enabled: boolean;
  readonly problem: string | null;
  readonly health: HealthRow | null;
}

export interface ConnectionRow {
  readonly ok: boolean;
  readonly status: number | null;
  readonly models: number | null;
  readonly duration_ms: number;
  readonly problem: string | null;
}

const PATH = '/control/api/providers';

export const listProviders: Command = {
  name: 'providers list',
  tellsProviders: true,
  summary: 'List all providers: those of the configuration and those that were added',
  async run(context) {
    const control = await context.control();
    const text = await control.call('GET', PATH);
    if (context.json) {
      const data = readExact<{ data: readonly ProviderRow[] }>(text).data.map(providerRow);
      context.terminal.out(JSON.stringify({ data, total_count: data.length }));
      return 0;
    }
    printTable(
      context,
      ['NAME', 'KIND', 'CALLS GO TO', 'FORMATS', 'MODELS', 'FROM', 'STATE'],
      readJson<{ data: readonly ProviderRow[] }>(text).data.map((provider) => [
        provider.name,
        provider.kind,
        addressOf(provider),
        provider.dialects.join(', '),
        String(provider.models),
        SOURCES[provider.source] ?? provider.source,
        stateOf(provider),
      ]),
    );
    return 0;
  },
};

function providerRow(provider: ProviderRow): ProviderRow {
  return {
    name: provider.name,
    kind: provider.kind,
    display_name: provider.display_name,
    origin: provider.origin,
    calls_to: provider.calls_to,
    proxy: provider.proxy,
    dialects: provider.dialects,
    models: provider.models,
    source: provider.source,
    is_enabled: provider.is_enabled,
    problem: provider.problem,
    health: provider.health,
  };
}

/** In the preferred format. */
function addressOf({ calls_to: [address], origin }: Pick<ProviderRow, 'calls_to' | 'origin'>): string {
  return address ?? origin;
}

/** What is said of where one stands: commands add to what the dashboard does. */
const SOURCES: Readonly<Record<string, string>> = { dashboard: 'database' };

export const testProviders: Command = {
  name: 'providers test',
  tellsProviders: true,
  summary: 'Ask providers for their models, to see whether address and credential are right; all when none is named',
  parameters: '[name …]',
  parameterCount: { min: 0, max: Number.POSITIVE_INFINITY },
  async run(context) {
    const control = await context.control();
    const { data: all } = readJson<{ data: readonly ProviderRow[] }>(await control.call('GET', PATH));
    const chosen = context.parameters.length > 0 ? named(all, context.parameters) : all.filter(isCalled);
    const results = await Promise.all(
      chosen.map(async ({ name, origin }) => {
        const text = await control.call('POST', `${PATH}/${encodeURIComponent(name)}/test`);
        const { ok, status, models, duration_ms, problem } = readJson<{ data: ConnectionRow }>(text).data;
        return { provider: name, origin, ok, status, models, duration_ms, problem };
      }),
    );
    if (context.json) context.terminal.out(JSON.stringify({ data: results }));
    else
      for (const result of results)
        context.terminal.out(`${verdict(context, result)}  ${result.provider}: ${connectionText(result)}`);
    return results.every((result) => result.ok) ? 0 : 1;
  },
};

/** Throws `CommandFailed` for a name that no provider has. */
function named(all: readonly ProviderRow[], names: readonly string[]): readonly ProviderRow[] {
  return names.map((name) => {
    const found = all.find((each) => each.name === name);
    if (found !== undefined) return found;
    const known = all.map((each) => each.name).join(', ');
    throw new CommandFailed(`There is no provider ${shownText(name)}; there are: ${known || 'none'}.`);
  });
}

const ONE = { parameters: '<name>', parameterCount: { min: 1, max: 1 } } as const;

/** As the management API tells of one. */
interface ManagedProvider {
  readonly name: string;
  readonly display_name: string;
  readonly origin: string;
  readonly calls_to: readonly string[];
  readonly models: number;
  readonly is_enabled: boolean;
  readonly model_settings: readonly GivenModel[];
}

/** What may be said of a provider whether it is new or not. */
const SETTINGS: Flags = {
  origin: { type: 'string', value: '<url>', description: 'Its address; what the kind declares when absent' },
  key: { type: 'string', value: '<env:NAME>', description: 'The variable that holds its credential' },
  'key-file': { type: 'string', value: '<file>', description: 'The file that holds its credential' },
  dialects: {
    type: 'string',
    value: '<format>',
    description: 'What it speaks: openai-chat, anthropic-messages; the first is preferred',
    repeatable: true,
  },
  models: {
    type: 'string',
    value: '<name>',
    description: 'What it calls models that are not known of its kind; they are served as <provider>/<name>',
    repeatable: true,
  },
  price: {
    type: 'string',
    value: '<in/out|free>',
    description: 'What these models cost, in USD per million tokens: 0.15/0.60',
  },
  'input-modalities': {
    type: 'string',
    value: '<kind>',
    description: 'What these models read: text, image, audio, video, file; text when absent',
    repeatable: true,
  },
  'output-modalities': {
    type: 'string',
    value: '<kind>',
    description: 'What these models write; text when absent',
    repeatable: true,
  },
};

export const addProvider: Command = {
  name: 'providers add',
  tellsProviders: true,
  summary: 'Add a provider; a running server calls it at once, and its credential is kept sealed',
  ...ONE,
  flags: {
    kind: {
      type: 'string',
      value: '<kind>',
      description: 'What it is; the name when a kind is called so, else custom',
    },
    ...SETTINGS,
    disabled: { type: 'boolean', description: 'Call it only once it is enabled' },
  },
  async run(context) {
    const name = context.parameters[0] ?? '';
    const body = {
      name,
      kind: context.text('kind') ?? (findProviderKind(name) === null ? 'custom' : name),
      ...settingsOf(context),
      is_enabled: !context.has('disabled'),
    };
    const control = await context.control({ mayBegin: true });
    const text = await control.call('POST', PATH, body);
    return told(context, control, text, 'is added');
  },
};

export const updateProvider: Command = {
  name: 'providers update',
  tellsProviders: true,
  summary: 'Change a provider that was added here or in the dashboard; --models replaces all that it was given before',
  ...ONE,
  flags: SETTINGS,
  async run(context) {
    const body = settingsOf(context);
    if (Object.keys(body).length === 0)
      throw new UsageError('say what to change: --models, --origin, --key, --dialects');
    const control = await context.control();
    const text = await control.call('PATCH', pathOf(context), body);
    return told(context, control, text, 'is changed');
  },
};

export const removeProvider: Command = {
  name: 'providers remove',
  summary: 'Take a provider away, with its credential; calls that run on it end by themselves',
  ...ONE,
  async run(context) {
    const control = await context.control();
    const text = await control.call('DELETE', pathOf(context));
    if (context.json) context.terminal.out(text);
    else context.terminal.out(`Provider ${shownText(context.parameters[0] ?? '')} is taken away.`);
    return 0;
  },
};

export const enableProvider: Command = {
  name: 'providers enable',
  summary: 'Call a disabled provider again',
  ...ONE,
  run: (context) => switchProvider(context, true),
};

export const disableProvider: Command = {
  name: 'providers disable',
  summary: 'Call a provider no more until it is enabled; calls that run on it end by themselves',
  ...ONE,
  run: (context) => switchProvider(context, false),
};

async function switchProvider(context: CommandContext, isEnabled: boolean): Promise<number> {
  const control = await context.control();
  const text = await control.call('PATCH', pathOf(context), { is_enabled: isEnabled });
  return told(context, control, text, isEnabled ? 'is enabled' : 'is disabled');
}

async function told(context: CommandContext, control: ControlClient, text: string, outcome: string): Promise<number> {
  const provider = readJson<{ data: ManagedProvider }>(text).data;
  const unpriced = await unpricedModels(control, provider);
  if (context.json) context.terminal.out(text);
  else {
    const serves = servesText(provider, unpriced);
    context.terminal.out(`Provider ${shownText(provider.name)} (${addressOf(provider)}) ${outcome}${serves}.`);
  }
  if (unpriced.length > 0) advisePrice(context, provider, unpriced);
  await adviseModels(context, control, provider);
  return 0;
}

/** As the management API takes them; what is not given is absent. */
function settingsOf(context: CommandContext): Readonly<Record<string, unknown>> {
  const dialects = context.list('dialects');
  const price = readPrice(context.text('price'));
  const modalities = { ...readModalities(context, 'input'), ...readModalities(context, 'output') };
  const models = context.list('models').map((upstream) => ({ upstream, price, ...modalities }));
  const [modality] = Object.keys(modalities);
  if (modality !== undefined && models.length === 0)
    throw new UsageError(`--${modality.replace('_', '-')} are those of --models; name them`);
  if (price !== null && models.length === 0) throw new UsageError('--price is that of --models; name them');
  const origin = context.text('origin');
  const credential = readCredential(context);
  return {
    ...(origin === null ? {} : { origin }),
    ...(credential === null ? {} : { credential }),
    ...(dialects.length === 0 ? {} : { dialects }),
    ...(models.length === 0 ? {} : { model_settings: models }),
  };
}

/** So many are named on one line. */
const NAMED_MAX = 12;

/** Where nothing would be served: what the provider itself lists, and the command that serves it. */
async function adviseModels(context: CommandContext, control: ControlClient, provider: ManagedProvider): Promise<void> {
  if (provider.models > 0 || !provider.is_enabled) return;
  const { note } = context.terminal;
  const text = await control.call('POST', `${PATH}/${encodeURIComponent(provider.name)}/test`);
  const { problem, models, model_names: names } = readJson<{ data: ListedModels }>(text).data;
  if (problem !== null) note(`It serves nothing yet, and its test failed: ${problem}`);
  else if (names.length === 0) note('It serves nothing yet, and lists no models.');
  else
    note(
      `It serves nothing yet, and lists ${models ?? names.length}: ${names.slice(0, NAMED_MAX).map(shownText).join(', ')}${names.length > NAMED_MAX ? ', …' : ''}`,
    );
  note(
    `Name those to serve, with their price in USD per million tokens: ${context.program.name} providers update ${shownText(provider.name)} --models ${names[0] === undefined ? '<name>,<name>' : shownText(names[0])} --price 0.15/0.60 (or --price free)`,
  );
}

interface ListedModels {
  readonly problem: string | null;
  readonly models: number | null;
  readonly model_names: readonly string[];
}

function pathOf(context: CommandContext): string {
  return `${PATH}/${encodeURIComponent(context.parameters[0] ?? '')}`;
}

function readPrice(text: string | null): 'free' | { readonly input: string; readonly output: string } | null {
  if (text === null || text === 'free') return text;
  const [, input, output] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (input !== undefined && output !== undefined) return { input, output };
  throw new UsageError(`--price ${text} is no price; write free, or USD per million tokens in and out: 0.15/0.60`);
}

/** As the management API takes them; it says what is no kind. */
function readModalities(
  context: CommandContext,
  side: 'input' | 'output',
): Readonly<Record<string, readonly string[]>> {
  const names = context.list(`${side}-modalities`);
  return names.length === 0 ? {} : { [`${side}_modalities`]: names };
}

/** Never from the command line itself: every user of the machine can read that, and shells keep it. */
function readCredential(context: CommandContext): string | null {
  const key = context.text('key');
  const file = context.text('key-file');
  if (key !== null && file !== null) throw new UsageError('give --key or --key-file, not both');
  if (key !== null) {
    const [, variable] = /^env:(\w+)$/.exec(key) ?? [];
    if (variable === undefined)
      throw new UsageError(
        '--key names a variable, as in --key env:OPENAI_API_KEY; a secret does not belong on a command line',
      );
    return filled(context.environment[variable], `the variable ${variable}`);
  }
  return file === null ? null : filled(readWhole(resolve(context.cwd, file)), file);
}

function filled(text: string | undefined, where: string): string {
  const credential = text?.trim() ?? '';
  if (credential === '') throw new CommandFailed(`${where} is empty or not there`);
  return credential;
}

function readWhole(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandFailed(`the credential cannot be read: ${(error as Error).message}`);
  }
}

export function connectionText(result: ConnectionRow): string {
  if (result.problem !== null) return result.problem;
  return `${result.models === null ? 'answers' : `${result.models} models`}, ${result.duration_ms} ms`;
}

/** Whether calls may be sent to it. */
export function isCalled({ is_enabled, problem }: ProviderRow): boolean {
  return is_enabled && problem === null;
}

function stateOf({ is_enabled, problem, health }: ProviderRow): string {
  if (problem !== null) return problem;
  if (!is_enabled) return 'disabled';
  return troubleText(health) ?? (health?.state === 'good' ? 'good' : 'enabled');
}

function verdict(context: CommandContext, result: Pick<ConnectionRow, 'ok'>): string {
  return result.ok ? paint(context, 'green', 'ok    ') : paint(context, 'red', 'failed');
}
