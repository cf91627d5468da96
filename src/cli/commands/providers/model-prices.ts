/** `turnpike models import|diff|pin`: prices from a table, what it would change, and prices that imports leave. */
import { FEES, TOKEN_LINES } from '../../../catalog/price-tables/own-prices.ts';
import type { Command, CommandContext } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { printTable, readJson } from '../../output.ts';
import { readAskedPrice } from './asked-price.ts';
import { readTable } from './price-source.ts';
import { priceTexts } from './price-texts.ts';
import { type ChangeRow, type PlanRow, sendPrices } from './send-prices.ts';

const PATH = '/control/api/model-prices';
const SOURCE = {
  parameters: '<file|-|https address>',
  parameterCount: { min: 1, max: 1 },
  usesProviders: true,
} as const;

export const diffModels: Command = {
  name: 'models diff',
  summary: 'Show what importing a price table would change (USD per million tokens); exits with 1 if anything would',
  ...SOURCE,
  async run(context) {
    const plan = await send(context, true);
    print(context, plan);
    return plan.changes.length === 0 ? 0 : 1;
  },
};

export const importModels: Command = {
  name: 'models import',
  summary:
    "Import prices from a table of LiteLLM's, models.dev's, OpenRouter's or Turnpike's own format; pinned ones stay",
  ...SOURCE,
  flags: {
    'dry-run': { type: 'boolean', description: 'Show what would change, and change nothing' },
    'allow-suspicious': {
      type: 'boolean',
      description: 'Accept prices that become 0 or change by more than 10 times',
    },
  },
  async run(context) {
    const plan = await send(context, context.has('dry-run'));
    print(context, plan);
    return 0;
  },
};

export const pinModels: Command = {
  name: 'models pin',
  summary: 'Fix the prices of a model at a provider, so that imports leave them; by default those that apply now',
  parameters: '<provider> <model there>',
  parameterCount: { min: 2, max: 2 },
  usesProviders: true,
  flags: {
    price: {
      type: 'string',
      value: '<in/out|unit=usd|line=usd>',
      description:
        'Prices in USD: per million tokens, like 2.50/10 or inputImage=8; for one, like image=0.04 or webSearch=0.01. Those that are not named are removed; without in/out, only units',
      repeatable: true,
    },
    'price-version': { type: 'string', value: '<n>', description: 'The prices of a version, as a record names it' },
    off: { type: 'boolean', description: 'Let imports change them again; until then they stay' },
    'built-in': { type: 'boolean', description: 'Go back to the built-in prices, which imports may change' },
  },
  async run(context) {
    const [provider = '', upstream_model = ''] = context.parameters;
    const control = await context.control();
    const isBuiltIn = context.has('built-in');
    const asked = pricesAsked(context);
    if (isBuiltIn && Object.keys(asked).length > 0)
      throw new UsageError('--built-in excludes --price and --price-version');
    const isPinned = !isBuiltIn && !context.has('off');
    const body = { provider, upstream_model, ...asked, pinned: isPinned, ...(isBuiltIn && { built_in: true }) };
    const text = await control.call('POST', `${PATH}/pin`, body);
    if (context.json) context.terminal.out(text);
    else {
      const { data } = readJson<{ data: ChangeRow }>(text);
      const outcome = isBuiltIn
        ? 'has its built-in price again'
        : isPinned
          ? 'is pinned'
          : 'may be changed by imports again';
      context.terminal.out(`${provider} ${upstream_model} ${outcome}: ${pricesText(data.after)}.`);
    }
    return 0;
  },
};

async function send(context: CommandContext, isDryRun: boolean): Promise<PlanRow> {
  const table = await readTable(context, context.parameters[0] ?? '');
  const control = await context.control();
  const plan = await sendPrices(control, table, {
    isDryRun,
    allowSuspicious: context.has('allow-suspicious'),
    changed: (count) => context.terminal.note(`${count} price lists changed so far.`),
  });
  return { ...plan, unknown: plan.unknown + table.unknown };
}

function print(context: CommandContext, plan: PlanRow): void {
  const { changes, unchanged, pinned, unknown, is_done: isDone } = plan;
  if (context.json) {
    context.terminal.out(JSON.stringify({ data: plan }));
    return;
  }
  if (changes.length > 0)
    printTable(
      context,
      ['PROVIDER', 'MODEL', 'LINE', 'BEFORE', 'AFTER', 'NOTE'],
      changes.flatMap((change) =>
        differences(change).map(([line, before, after], index) => [
          change.provider,
          change.upstream_model,
          line,
          before,
          after,
          index === 0 ? noteOf(change) : '',
        ]),
      ),
    );
  const what = changes.length === 1 ? '1 price list' : `${changes.length} price lists`;
  context.terminal.note(
    `${what} ${isDone ? 'changed' : 'would change'}${withoutEffect(changes)}; ${unchanged} unchanged, ${pinned} pinned, ${unknown} of models that are not in the catalogue.`,
  );
}

function noteOf({ kept, overridden, suspicion }: ChangeRow): string {
  const keeps = kept.length === 0 ? null : `kept: ${kept.join(', ')}`;
  return [suspicion, keeps, overridden ? 'no effect: configured' : null].filter((note) => note !== null).join('; ');
}

function withoutEffect(changes: readonly ChangeRow[]): string {
  const count = changes.filter(({ overridden }) => overridden).length;
  return count === 0 ? '' : ` (${count} without effect, because the configuration has a price)`;
}

function differences({ before, after }: ChangeRow): [string, string, string][] {
  const [was, is] = [linesOf(before), linesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((line): [string, string, string][] => {
    const [old, now] = [was.get(line) ?? '-', is.get(line) ?? '-'];
    return old === now ? [] : [[line, old, now]];
  });
}

function linesOf({ prices, retires }: ChangeRow['after']): Map<string, string> {
  return new Map([...priceTexts(prices ?? {}), ...(retires === null ? [] : [['retires', retires] as const])]);
}

function pricesText({ prices }: ChangeRow['after']): string {
  if (prices === null) return 'none is known';
  return priceTexts(prices)
    .map(([line, price]) => `${line} ${price}`)
    .join(', ');
}

/** Every line of Turnpike's own table but those of plain tokens. */
const LINES = Object.fromEntries(
  [...TOKEN_LINES, ...FEES].filter((name) => name !== 'input' && name !== 'output').map((name) => [name, name]),
);

function pricesAsked(context: CommandContext): object {
  const price = readAskedPrice(context.list('price'), LINES);
  const version = context.text('price-version');
  if (price !== null && version !== null) throw new UsageError('--price and --price-version exclude each other');
  if (price !== null) return { prices: price === 'free' ? { input: '0', output: '0' } : price };
  if (version === null) return {};
  if (!/^[1-9]\d{0,8}$/.test(version)) throw new UsageError(`--price-version ${version} is not a number`);
  return { version: Number(version) };
}
