/** `turnpike providers add`, `update`, `enable`, `disable` and `remove`. */
import { findProviderKind } from '../../../providers/index.ts';
import type { Command, CommandContext } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import type { ControlClient } from '../../control-client.ts';
import { readJson, shownText } from '../../output.ts';
import { adviseIfNone, sendsNoBill, serveListed } from './listed-models.ts';
import { type ManagedProvider, pathOf } from './managed-provider.ts';
import { advisePrice, servesText, unpricedModels } from './provider-prices.ts';
import { addressOf, PROVIDERS_PATH } from './provider-row.ts';
import { settingFlags, settingsOf } from './provider-settings.ts';

const ONE = { parameters: '<name>', parameterCount: { min: 1, max: 1 } } as const;

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
    const added = readJson<{ data: ManagedProvider }>(text).data;
    const isFound = sendsNoBill(added.kind) && added.models === 0 && added.is_enabled;
    if (!isFound) return printResult(context, control, text, 'added');
    const served = await serveListed(context, control, added);
    return printResult(context, control, served ?? text, 'added', { isAdvised: true });
  },
};

export const updateProvider: Command = {
  name: 'providers update',
  usesProviders: true,
  summary: 'Change a provider added here or in the dashboard; --models replaces its whole list of models',
  ...ONE,
  flags: {
    ...settingFlags,
    listed: { type: 'boolean', description: 'Serve also the models that it lists and that are not served yet' },
  },
  async run(context) {
    const body = settingsOf(context);
    if (Object.keys(body).length === 0 && !context.has('listed'))
      throw new UsageError('providers update needs at least one of --models, --origin, --key, --dialects, --region, …');
    const control = await context.control();
    const text = await control.call('PATCH', pathOf(nameIn(context)), body);
    if (!context.has('listed')) return printResult(context, control, text, 'updated');
    const served = await serveListed(context, control, readJson<{ data: ManagedProvider }>(text).data);
    return printResult(context, control, served ?? text, 'updated', { isAdvised: true });
  },
};

export const removeProvider: Command = {
  name: 'providers remove',
  summary: 'Remove a provider and its credential; its running calls finish',
  ...ONE,
  async run(context) {
    const control = await context.control();
    const text = await control.call('DELETE', pathOf(nameIn(context)));
    if (context.json) context.terminal.out(text);
    else context.terminal.out(`Provider ${shownText(nameIn(context))} removed.`);
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
  const text = await control.call('PATCH', pathOf(nameIn(context)), { is_enabled: isEnabled });
  return printResult(context, control, text, isEnabled ? 'enabled' : 'disabled');
}

async function printResult(
  context: CommandContext,
  control: ControlClient,
  text: string,
  outcome: string,
  { isAdvised } = { isAdvised: false },
): Promise<number> {
  const provider = readJson<{ data: ManagedProvider }>(text).data;
  const unpriced = await unpricedModels(control, provider);
  if (context.json) context.terminal.out(text);
  else {
    const serves = servesText(provider, unpriced);
    context.terminal.out(`Provider ${shownText(provider.name)} (${addressOf(provider)}) ${outcome}${serves}.`);
  }
  if (unpriced.length > 0) advisePrice(context, provider, unpriced);
  if (!isAdvised) await adviseIfNone(context, control, provider);
  return 0;
}

function nameIn(context: CommandContext): string {
  return context.parameters[0] ?? '';
}
