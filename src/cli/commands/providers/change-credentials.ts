/** `turnpike providers add-credential` and `remove-credential`: further credentials of a provider, which take turns with the first. */
import type { Command } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { readJson, shownText } from '../../output.ts';
import { PROVIDERS_PATH, type ProviderRow } from './provider-row.ts';
import { readCredential, settingFlags } from './provider-settings.ts';

export const addProviderCredential: Command = {
  name: 'providers add-credential',
  usesProviders: true,
  summary: 'Add a further credential to a provider; calls take turns with all of them',
  parameters: '<name>',
  parameterCount: { min: 1, max: 1 },
  flags: { key: settingFlags['key'] as never, 'key-file': settingFlags['key-file'] as never },
  async run(context) {
    const credential = readCredential(context);
    if (credential === null) throw new UsageError('providers add-credential needs --key or --key-file');
    const control = await context.control();
    const text = await control.call('POST', pathOf(context.parameters[0] ?? ''), { credential });
    return print(context, text, 'added');
  },
};

export const removeProviderCredential: Command = {
  name: 'providers remove-credential',
  usesProviders: true,
  summary: 'Remove a further credential of a provider, by its id in providers show; running calls keep it',
  parameters: '<name> <id>',
  parameterCount: { min: 2, max: 2 },
  async run(context) {
    const [name = '', id = ''] = context.parameters;
    const control = await context.control();
    const text = await control.call('DELETE', `${pathOf(name)}/${encodeURIComponent(id)}`);
    return print(context, text, 'removed');
  },
};

function pathOf(name: string): string {
  return `${PROVIDERS_PATH}/${encodeURIComponent(name)}/credentials`;
}

function print(context: Parameters<Command['run']>[0], text: string, outcome: string): number {
  if (context.json) context.terminal.out(text);
  else {
    const { name, credentials } = readJson<{ data: ProviderRow }>(text).data;
    context.terminal.out(`Credential ${outcome}; ${shownText(name)} has ${credentials.length}.`);
  }
  return 0;
}
