/** `turnpike models list`: what this installation can serve, and with `--all` what it could with another provider. */
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
  /** Environment variables of the providers that would bring it; empty for a model that is served. */
  readonly needs: readonly string[];
}

export const listModels: Command = {
  name: 'models list',
  summary: 'List the models that the configured providers can serve; prices in USD per million tokens',
  parameters: '[part of an id]',
  parameterCount: { min: 0, max: 1 },
  flags: {
    all: { type: 'boolean', description: 'Known models too that only lack a provider, and what would bring them' },
  },
  async run(context) {
    const control = await context.control();
    const part = context.parameters[0] ?? '';
    const all = context.has('all');
    const path = `/control/models?include_unserved=${all}`;
    const answer = readJson<{ data: readonly ModelRow[] }>(await control.call('GET', path));
    const data = answer.data.filter((model) => model.id.includes(part));
    if (context.json) {
      context.terminal.out(JSON.stringify({ data, total_count: data.length }));
      return 0;
    }
    printTable(
      context,
      ['MODEL', 'PROVIDERS', 'FORMATS', 'CONTEXT', 'INPUT', 'OUTPUT', ...(all ? ['NEEDS'] : [])],
      data.map((model) => {
        const price = model.targets[0]?.price_per_million ?? null;
        return [
          model.id,
          listed(model.targets.map((target) => target.provider)),
          listed(model.targets.flatMap((target) => target.dialects)),
          model.context_length === null ? '-' : String(model.context_length),
          price === null ? '-' : price.prompt,
          price === null ? '-' : price.completion,
          ...(all ? [model.needs.join(' or ')] : []),
        ];
      }),
    );
    if (data.length === 0 && !all) {
      const further = part === '' ? 'models list --all' : `models list --all ${part}`;
      context.terminal.note(`No model that is served matches; \`${further}\` looks further.`);
    }
    return 0;
  },
};

function listed(names: readonly string[]): string {
  return names.length === 0 ? '-' : [...new Set(names)].join(', ');
}
