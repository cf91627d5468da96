/** `turnpike providers`: who is configured, and whether they answer. */
import type { Command } from './command.ts';
import { paint, printTable, readJson } from './output.ts';

export interface ProviderRow {
  readonly name: string;
  readonly kind: string;
  readonly origin: string;
  readonly dialects: readonly string[];
  readonly models: number;
}

export interface ConnectionRow {
  readonly provider: string;
  readonly ok: boolean;
  readonly status: number | null;
  readonly models: number | null;
  readonly duration_ms: number;
  readonly problem: string | null;
}

export const listProviders: Command = {
  name: 'providers list',
  summary: 'List the configured providers',
  async run(context) {
    const control = await context.control();
    const text = await control.call('GET', '/control/providers');
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    printTable(
      context,
      ['NAME', 'KIND', 'ORIGIN', 'FORMATS', 'MODELS'],
      readJson<{ data: readonly ProviderRow[] }>(text).data.map((provider) => [
        provider.name,
        provider.kind,
        provider.origin,
        provider.dialects.join(', '),
        String(provider.models),
      ]),
    );
    return 0;
  },
};

export const testProviders: Command = {
  name: 'providers test',
  summary: 'Ask providers for their models, to see whether address and credential are right; all when none is named',
  parameters: '[name …]',
  parameterCount: { min: 0, max: Number.POSITIVE_INFINITY },
  async run(context) {
    const control = await context.control();
    const names =
      context.parameters.length > 0
        ? context.parameters
        : readJson<{ data: readonly ProviderRow[] }>(await control.call('GET', '/control/providers')).data.map(
            (row) => row.name,
          );
    const results = await Promise.all(
      names.map(async (name) => {
        const text = await control.call('POST', `/control/providers/${encodeURIComponent(name)}/test`);
        return readJson<{ data: ConnectionRow }>(text).data;
      }),
    );
    if (context.json) context.terminal.out(JSON.stringify({ data: results }));
    else
      for (const result of results)
        context.terminal.out(`${verdict(context, result)}  ${result.provider}: ${connectionText(result)}`);
    return results.every((result) => result.ok) ? 0 : 1;
  },
};

export function connectionText(result: ConnectionRow): string {
  if (result.problem !== null) return result.problem;
  return `${result.models === null ? 'answers' : `${result.models} models`}, ${result.duration_ms} ms`;
}

function verdict(context: Parameters<Command['run']>[0], result: ConnectionRow): string {
  return result.ok ? paint(context, 'green', 'ok    ') : paint(context, 'red', 'failed');
}
