/** `turnpike models list`: what this installation can serve. */
import type { Command } from './command.ts';
import { printTable, readJson } from './output.ts';

interface ModelRow {
  readonly id: string;
  readonly context_length: number | null;
  readonly targets: readonly {
    readonly provider: string;
    readonly dialects: readonly string[];
    readonly price_per_million: { readonly prompt: string; readonly completion: string } | null;
  }[];
}

export const listModels: Command = {
  name: 'models list',
  summary: 'List the models that the configured providers can serve; prices in USD per million tokens',
  parameters: '[part of an id]',
  parameterCount: { min: 0, max: 1 },
  async run(context) {
    const control = await context.control();
    const part = context.parameters[0] ?? '';
    const answer = readJson<{ data: readonly ModelRow[] }>(await control.call('GET', '/control/models'));
    const data = answer.data.filter((model) => model.id.includes(part));
    if (context.json) {
      context.terminal.out(JSON.stringify({ data, total_count: data.length }));
      return 0;
    }
    printTable(
      context,
      ['MODEL', 'PROVIDERS', 'FORMATS', 'CONTEXT', 'INPUT', 'OUTPUT'],
      data.map((model) => {
        const price = model.targets[0]?.price_per_million ?? null;
        return [
          model.id,
          [...new Set(model.targets.map((target) => target.provider))].join(', '),
          [...new Set(model.targets.flatMap((target) => target.dialects))].join(', '),
          model.context_length === null ? '-' : String(model.context_length),
          price === null ? '-' : price.prompt,
          price === null ? '-' : price.completion,
        ];
      }),
    );
    return 0;
  },
};
