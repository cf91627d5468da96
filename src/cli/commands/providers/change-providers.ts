/** `turnpike providers add`, `update`, `enable`, `disable` and `remove`. */
import { findProviderKind } from '../../../providers/index.ts';
import type { Command, CommandContext } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import type { ControlClient } from '../../control-client.ts';
import { readJson, shownText } from '../../output.ts';
import { advisePrice, type GivenModel, servesText, unpricedModels } from './provider-prices.ts';
import { addressOf, PROVIDERS_PATH } from './provider-row.ts';
import { settingFlags, settingsOf } from './provider-settings.ts';

const ONE = { parameters: '<name>', parameterCount: { min: 1, max: 1 } } as const;

/** A provider of the management API. */
interface ManagedProvider {
  readonly name: string;
  readonly display_name: string;
  readonly origin: string;
  readonly calls_to: readonly string[];
  readonly models: number;
  readonly is_enabled: boolean;
  readonly model_settings: readonly GivenModel[];
}

export const addProvider: Command = {
  name: 'providers add',
  usesProviders: true,
  summary: 'Add a provider; a running server uses it immediately, and its credential is stored encrypted',
  ...ONE,
  flags: {
    kind: {
      type: 'string',
      value: '<kind>',
      description: 'Provider type; default: the name if it is a known type, otherwise custom',
    },
    ...settingFlags,
    disabled: { type: 'boolean', description: 'Do not use it until it is enabled' },
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
    const text = await control.call('POST', PROVIDERS_PATH, body);
    return printResult(context, control, text, 'added');
  },
};

export const updateProvider: Command = {
  name: 'providers update',
  usesProviders: true,
  summary: 'Change a provider added here or in the dashboard; --models replaces its whole list of models',
  ...ONE,
  flags: settingFlags,
  async run(context) {
    const body = settingsOf(context);
    if (Object.keys(body).length === 0)
      throw new UsageError('providers update needs at least one of --models, --origin, --key, --dialects, --region, …');
    const control = await context.control();
    const text = await control.call('PATCH', pathOf(context), body);
    return printResult(context, control, text, 'updated');
  },
};

export const removeProvider: Command = {
  name: 'providers remove',
  summary: 'Remove a provider and its credential; its running calls finish',
  ...ONE,
  async run(context) {
    const control = await context.control();
    const text = await control.call('DELETE', pathOf(context));
    if (context.json) context.terminal.out(text);
    else context.terminal.out(`Provider ${shownText(context.parameters[0] ?? '')} removed.`);
    return 0;
  },
};

export const enableProvider: Command = {
  name: 'providers enable',
  summary: 'Enable a disabled provider',
  ...ONE,
  run: (context) => switchProvider(context, true),
};

export const disableProvider: Command = {
  name: 'providers disable',
  summary: 'Stop using a provider until it is enabled again; its running calls finish',
  ...ONE,
  run: (context) => switchProvider(context, false),
};

async function switchProvider(context: CommandContext, isEnabled: boolean): Promise<number> {
  const control = await context.control();
  const text = await control.call('PATCH', pathOf(context), { is_enabled: isEnabled });
  return printResult(context, control, text, isEnabled ? 'enabled' : 'disabled');
}

async function printResult(
  context: CommandContext,
  control: ControlClient,
  text: string,
  outcome: string,
): Promise<number> {
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

/** The most models named on one line. */
const NAMED_MAX = 12;

/** If the provider serves no models yet: the models that it lists, and the command that adds them. */
async function adviseModels(context: CommandContext, control: ControlClient, provider: ManagedProvider): Promise<void> {
  if (provider.models > 0 || !provider.is_enabled) return;
  const { note } = context.terminal;
  const text = await control.call('POST', `${PROVIDERS_PATH}/${encodeURIComponent(provider.name)}/test`);
  const { problem, models, model_names: names } = readJson<{ data: ListedModels }>(text).data;
  if (problem !== null) note(`It serves no models yet, and the connection test failed: ${problem}`);
  else if (names.length === 0) note('It serves no models yet, and lists none.');
  else
    note(
      `It serves no models yet. It lists ${models ?? names.length}: ${names.slice(0, NAMED_MAX).map(shownText).join(', ')}${names.length > NAMED_MAX ? ', …' : ''}`,
    );
  note(
    `Add the models to serve, with their price in USD per million tokens: ${context.program.name} providers update ${shownText(provider.name)} --models ${names[0] === undefined ? '<name>,<name>' : shownText(names[0])} --price 0.15/0.60 (or --price free)`,
  );
}

interface ListedModels {
  readonly problem: string | null;
  readonly models: number | null;
  readonly model_names: readonly string[];
}

function pathOf(context: CommandContext): string {
  return `${PROVIDERS_PATH}/${encodeURIComponent(context.parameters[0] ?? '')}`;
}
