/** `turnpike providers list` and `test`. */
import type { Command, CommandContext } from '../../command.ts';
import { CommandFailed } from '../../command-errors.ts';
import { paint, printTable, readExact, readJson, shownText } from '../../output.ts';
import {
  addressOf,
  type ConnectionRow,
  connectionText,
  isTestable,
  PROVIDERS_PATH,
  type ProviderRow,
  providerRow,
  stateOf,
} from './provider-row.ts';

export const listProviders: Command = {
  name: 'providers list',
  usesProviders: true,
  summary: 'List all providers, from the configuration and added',
  async run(context) {
    const control = await context.control();
    const text = await control.call('GET', PROVIDERS_PATH);
    if (context.json) {
      const data = readExact<{ data: readonly ProviderRow[] }>(text).data.map(providerRow);
      context.terminal.out(JSON.stringify({ data, total_count: data.length }));
      return 0;
    }
    printTable(
      context,
      ['NAME', 'KIND', 'ENDPOINT', 'FORMATS', 'MODELS', 'SOURCE', 'STATE'],
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

/** How sources are printed: commands add providers to the same database as the dashboard. */
const SOURCES: Readonly<Record<string, string>> = { dashboard: 'database' };

export const testProviders: Command = {
  name: 'providers test',
  usesProviders: true,
  summary: 'Test the base URL and every credential of providers; default: all',
  parameters: '[name …]',
  parameterCount: { min: 0, max: Number.POSITIVE_INFINITY },
  async run(context) {
    const control = await context.control();
    const { data: all } = readJson<{ data: readonly ProviderRow[] }>(await control.call('GET', PROVIDERS_PATH));
    const chosen = context.parameters.length > 0 ? named(all, context.parameters) : all.filter(isTestable);
    const results = await Promise.all(
      chosen.map(async ({ name, origin }) => {
        const text = await control.call('POST', `${PROVIDERS_PATH}/${encodeURIComponent(name)}/test`);
        const { ok, status, models, duration_ms, problem, credentials } = readJson<{ data: ConnectionRow }>(text).data;
        return { provider: name, origin, ok, status, models, duration_ms, problem, credentials };
      }),
    );
    if (context.json) context.terminal.out(JSON.stringify({ data: results }));
    else
      for (const result of results) {
        context.terminal.out(`${verdict(context, result)}  ${result.provider}: ${connectionText(result)}`);
        if (result.credentials.length < 2) continue;
        for (const [index, each] of result.credentials.entries())
          context.terminal.out(
            `  ${verdict(context, each)}  credential ${index + 1}${each.hint === null ? '' : ` …${each.hint}`}: ${connectionText(each)}`,
          );
      }
    return results.every((result) => result.ok) ? 0 : 1;
  },
};

/** Throws `CommandFailed` for a name that no provider has. */
function named(all: readonly ProviderRow[], names: readonly string[]): readonly ProviderRow[] {
  return names.map((name) => {
    const found = all.find((each) => each.name === name);
    if (found !== undefined) return found;
    const known = all.map((each) => each.name).join(', ');
    throw new CommandFailed(`No provider is named ${shownText(name)}; providers: ${known || 'none'}.`);
  });
}

function verdict(context: CommandContext, result: Pick<ConnectionRow, 'ok'>): string {
  return result.ok ? paint(context, 'green', 'ok    ') : paint(context, 'red', 'failed');
}
