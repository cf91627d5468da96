/** `turnpike models list`: the models that are served, and with `--all` those that another provider would add. */
import type { Command } from '../../command.ts';
import { readOfferedModels } from '../../offered-models.ts';
import { printTable } from '../../output.ts';
import { shortUnitPrices } from './short-unit-prices.ts';

interface ModelRow {
  readonly id: string;
  readonly context_length: number | null;
  readonly max_completion_tokens: number | null;
  readonly targets: readonly {
    /** The effective one, known or assumed. */
    readonly context_length: number;
    readonly context_length_assumed: boolean;
    readonly max_completion_tokens: number | null;
    readonly max_completion_tokens_assumed: boolean;
    readonly provider: string;
    readonly dialects: readonly string[];
    readonly price_origin: string;
    readonly retires: string | null;
    readonly price_per_million: { readonly prompt: string; readonly completion: string } | null;
    /** USD a piece. */
    readonly units?: Readonly<Record<string, string>>;
  }[];
  /** Environment variables of the providers that would serve it; empty for a model that is served. */
  readonly needs: readonly string[];
}

export const listModels: Command = {
  name: 'models list',
  usesProviders: true,
  summary:
    'List available models with their limits, known or assumed; prices are in USD per million tokens, or by the piece',
  parameters: '[part of an id]',
  parameterCount: { min: 0, max: 1 },
  flags: {
    all: { type: 'boolean', description: 'Include known models without a provider, and what each one needs' },
  },
  async run(context) {
    const control = await context.control();
    const part = context.parameters[0] ?? '';
    const all = context.has('all');
    const offered = await readOfferedModels<ModelRow>(control, all);
    const data = offered.data.filter((model) => model.id.includes(part));
    if (context.json) {
      context.terminal.out(JSON.stringify({ data, total_count: data.length }));
      return 0;
    }
    printTable(
      context,
      [
        'MODEL',
        'PROVIDERS',
        'FORMATS',
        'CONTEXT',
        'CAP',
        'INPUT',
        'OUTPUT',
        'PRICE FROM',
        'RETIRES',
        ...(all ? ['NEEDS'] : []),
      ],
      data.map((model) => {
        const price = model.targets[0]?.price_per_million ?? null;
        const [input, output] = priceTexts(model);
        return [
          model.id,
          listed(model.targets.map((target) => target.provider)),
          listed(model.targets.flatMap((target) => target.dialects)),
          contextText(model),
          capText(model),
          input,
          output,
          price === null ? '-' : originText(model.targets[0]?.price_origin),
          model.targets[0]?.retires ?? '-',
          ...(all ? [model.needs.join(' or ')] : []),
        ];
      }),
    );
    if (data.length === 0 && !all) {
      const further = part === '' ? 'models list --all' : `models list --all ${part}`;
      context.terminal.note(`No available model matches; try \`${further}\`.`);
    }
    return 0;
  },
};

/** What is charged by the piece stands with the output; where tokens cost nothing, it is the only price. */
function priceTexts({ targets: [first] }: ModelRow): readonly [input: string, output: string] {
  const price = first?.price_per_million ?? null;
  if (price === null) return ['-', '-'];
  const pieces = shortUnitPrices(first?.units ?? {});
  if (pieces === null) return [price.prompt, price.completion];
  const isByPiece = price.prompt === '0' && price.completion === '0';
  return isByPiece ? ['-', pieces] : [price.prompt, `${price.completion} + ${pieces}`];
}

/** A price that nobody has set, such as that of a server of your own, is assumed. */
function originText(origin: string | undefined): string {
  return origin === 'unknown' ? 'assumed' : (origin ?? '-');
}

/** From the target that is tried first, like the prices. */
function contextText({ context_length: known, targets: [first] }: ModelRow): string {
  if (first === undefined) return known === null ? '-' : String(known);
  return `${first.context_length}${first.context_length_assumed ? ASSUMED : ''}`;
}

/** The default limit of output tokens. */
function capText({ max_completion_tokens: known, targets: [first] }: ModelRow): string {
  const cap = first === undefined ? known : first.max_completion_tokens;
  return cap === null ? '-' : `${cap}${first?.max_completion_tokens_assumed === true ? ASSUMED : ''}`;
}

const ASSUMED = ' (assumed)';

function listed(names: readonly string[]): string {
  return names.length === 0 ? '-' : [...new Set(names)].join(', ');
}
