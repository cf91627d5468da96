/** The models that a provider lists: a self-hosted server is asked what runs there. */
import { findProviderKind } from '../../../providers/index.ts';
import type { CommandContext } from '../../command.ts';
import type { ControlClient } from '../../control-client.ts';
import { readJson, shownText } from '../../output.ts';
import { type ManagedProvider, pathOf } from './managed-provider.ts';

/** Whether what it lists can be served without a word about prices. */
export function sendsNoBill(kind: string): boolean {
  return findProviderKind(kind)?.freeByDefault === 'always';
}

/**
 * Serves what the provider lists, in addition to the models that it has. Returns the control plane's answer; null if it lists nothing more, which is
 * said, with what to do.
 */
export async function serveListed(
  context: CommandContext,
  control: ControlClient,
  provider: ManagedProvider,
): Promise<string | null> {
  const listed = await readList(control, provider);
  const served = new Set(provider.model_settings.map(({ upstream }) => upstream));
  const names = listed.model_names.filter((name) => !served.has(name));
  if (names.length === 0) {
    adviseModels(context, provider, listed);
    return null;
  }
  const settings = [...provider.model_settings, ...names.map((upstream) => ({ upstream }))];
  const text = await control.call('PATCH', pathOf(provider.name), { model_settings: settings });
  context.terminal.note(`It lists ${countOf(listed)}, served from now on: ${shownNames(names)}`);
  return text;
}

/** If the provider serves no models yet: the models that it lists, and the command that adds them. */
export async function adviseIfNone(
  context: CommandContext,
  control: ControlClient,
  provider: ManagedProvider,
): Promise<void> {
  if (provider.models === 0 && provider.is_enabled) adviseModels(context, provider, await readList(control, provider));
}

interface ListedModels {
  readonly problem: string | null;
  readonly models: number | null;
  readonly model_names: readonly string[];
}

async function readList(control: ControlClient, { name }: ManagedProvider): Promise<ListedModels> {
  return readJson<{ data: ListedModels }>(await control.call('POST', `${pathOf(name)}/test`)).data;
}

function adviseModels(context: CommandContext, provider: ManagedProvider, listed: ListedModels): void {
  const { note } = context.terminal;
  const { problem, model_names: names } = listed;
  if (provider.models > 0) {
    note(problem === null ? 'It lists no other models.' : `The connection test failed: ${problem}`);
    return;
  }
  if (problem !== null) note(`It serves no models yet, and the connection test failed: ${problem}`);
  else if (names.length === 0) note('It serves no models yet, and lists none.');
  else note(`It serves no models yet. It lists ${countOf(listed)}: ${shownNames(names)}`);
  const program = `${context.program.name} providers update ${shownText(provider.name)}`;
  if (sendsNoBill(provider.kind)) note(`Once it has models: ${program} --listed`);
  else
    note(
      `Add the models to serve, with their price in USD per million tokens: ${program} --models ${names[0] === undefined ? '<name>,<name>' : shownText(names[0])} --price 0.15/0.60 (or --price free)`,
    );
}

function countOf({ models, model_names: names }: ListedModels): number {
  return models ?? names.length;
}

/** The most models named on one line. */
const NAMED_MAX = 12;

function shownNames(names: readonly string[]): string {
  return `${names.slice(0, NAMED_MAX).map(shownText).join(', ')}${names.length > NAMED_MAX ? ', …' : ''}`;
}
