/** `turnpike providers show`: how fast a provider answers with each model, what rests, and its credentials without their text. */
import type { Command } from '../../command.ts';
import { CommandFailed } from '../../command-errors.ts';
import { paint, printTable, readExact, readJson, shownText } from '../../output.ts';
import type { HealthRow } from './provider-health.ts';
import { addressOf, PROVIDERS_PATH, type ProviderRow, providerRow, stateOf } from './provider-row.ts';

export const showProvider: Command = {
  name: 'providers show',
  usesProviders: true,
  summary: 'Show how fast a provider answers, what of it rests, and its credentials by their last four characters',
  parameters: '<name>',
  parameterCount: { min: 1, max: 1 },
  async run(context) {
    const name = context.parameters[0] ?? '';
    const control = await context.control();
    const text = await control.call('GET', PROVIDERS_PATH);
    const provider = readJson<{ data: readonly ProviderRow[] }>(text).data.find((each) => each.name === name);
    if (provider === undefined) throw new CommandFailed(`No provider is named ${shownText(name)}.`);
    const health = await control.call('GET', `${PROVIDERS_PATH}/${encodeURIComponent(name)}/health`);
    if (context.json) {
      const exact = readExact<{ data: readonly ProviderRow[] }>(text).data.find((each) => each.name === name);
      const { models } = readExact<{ data: { models: readonly ModelRow[] } }>(health).data;
      context.terminal.out(
        JSON.stringify({ data: { ...providerRow(exact ?? provider), credentials: exact?.credentials, used: models } }),
      );
      return 0;
    }
    const { models } = readJson<{ data: { models: readonly ModelRow[] } }>(health).data;
    context.terminal.out(`${shownText(name)} (${addressOf(provider)}): ${stateOf(provider)}`);
    if (provider.credentials.length > 0) {
      context.terminal.out('');
      printTable(context, ['CREDENTIAL', 'ENDS IN', 'STATE', 'ID'], provider.credentials.map(credentialCells));
    }
    context.terminal.out('');
    if (models.length === 0) context.terminal.out(paint(context, 'dim', 'No model was called since the start.'));
    else
      printTable(
        context,
        ['MODEL', 'HEALTH', 'FIRST TOKEN P50', 'P95', 'TOKENS/S', 'RESTS UNTIL'],
        models.map(modelCells),
      );
    return 0;
  },
};

/** A model in answers of `/health`. */
interface ModelRow extends HealthRow {
  readonly model: string;
  readonly first_token_p50_ms: number | null;
  readonly first_token_p95_ms: number | null;
  readonly tokens_per_second: number | null;
  readonly rests_until: string | null;
}

function credentialCells(
  { id, hint, state, rejected_for, rests_until }: ProviderRow['credentials'][number],
  index: number,
): readonly string[] {
  const rests = rests_until === null ? '' : `, rests until ${rests_until}`;
  const models = rejected_for.length === 0 ? '' : `, rejected for ${rejected_for.join(', ')}`;
  return [String(index + 1), hint === null ? '-' : `…${hint}`, `${state}${rests}${models}`, id ?? '-'];
}

function modelCells(row: ModelRow): readonly string[] {
  const milliseconds = (figure: number | null) => (figure === null ? '-' : `${figure} ms`);
  return [
    row.model,
    row.state,
    milliseconds(row.first_token_p50_ms),
    milliseconds(row.first_token_p95_ms),
    row.tokens_per_second === null ? '-' : String(row.tokens_per_second),
    row.rests_until ?? '-',
  ];
}
