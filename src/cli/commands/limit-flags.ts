/** The flags for limits and permissions, shared by keys, projects and accounts. `none` removes one. */
import { parseAddressRange } from '../../accounts/address-list.ts';
import { patternComplaint } from '../../accounts/limits.ts';
import { escapeUnplain } from '../../accounts/plain-text.ts';
import { BUDGET_WINDOWS } from '../../core/budget.ts';
import { formatUsd, NO_MONEY, parseUsd } from '../../core/money.ts';
import type { CommandContext, Flags } from '../command.ts';
import { UsageError } from '../command-errors.ts';
import { readUsd } from '../read-values.ts';

const NONE = 'none';

const RATES = {
  rpm: { field: 'requests_per_minute', description: 'Requests per minute' },
  rpd: { field: 'requests_per_day', description: 'Requests per day' },
  tpm: { field: 'tokens_per_minute', description: 'Tokens per minute, input and output together' },
  concurrent: { field: 'concurrent_calls', description: 'Concurrent calls' },
} as const;

const LISTS = {
  models: { field: 'models_allow', value: '<pattern>', description: 'Allowed models, like acme/*; default: all' },
  'models-deny': { field: 'models_deny', value: '<pattern>', description: 'Blocked models' },
  ips: { field: 'ips', value: '<address>', description: 'Allowed IP addresses or CIDR ranges' },
  operations: { field: 'operations', value: '<name>', description: 'Allowed operations, like chat' },
} as const;

export const limitFlags: Flags = {
  ...Object.fromEntries(
    Object.entries(RATES).map(([name, { description }]) => [
      name,
      { type: 'string', value: '<n>', description: `${description}; none removes the limit` } as const,
    ]),
  ),
  budget: {
    type: 'string',
    value: '<day=5>',
    description: 'Maximum spend in USD per day, week, month or in total; day=none removes one; repeatable',
    repeatable: true,
  },
  ...Object.fromEntries(
    Object.entries(LISTS).map(([name, { value, description }]) => [
      name,
      { type: 'string', value, description: `${description}; repeatable`, repeatable: true } as const,
    ]),
  ),
};

/** The limits and permissions from the flags, as the control plane takes them. */
export function limitsAsked(context: CommandContext): { readonly limits: object; readonly permissions: object } {
  return { limits: { ...rates(context), ...budgets(context) }, permissions: lists(context) };
}

function rates(context: CommandContext): Record<string, number | null> {
  const asked: Record<string, number | null> = {};
  for (const [flag, { field }] of Object.entries(RATES)) {
    const text = context.text(flag);
    if (text === null) continue;
    if (text !== NONE && !/^[1-9]\d{0,14}$/.test(text))
      throw new UsageError(`--${flag} ${text} is not a valid limit; use a whole number of 1 or more, or none`);
    asked[field] = text === NONE ? null : Number(text);
  }
  return asked;
}

function budgets(context: CommandContext): { readonly budgets?: Record<string, string | null> } {
  const given = context.list('budget');
  if (given.length === 0) return {};
  const asked: Record<string, string | null> = {};
  for (const text of given) {
    const [, window = '', amount = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
    if (!(BUDGET_WINDOWS as readonly string[]).includes(window))
      throw new UsageError(
        `--budget ${text} is not a valid budget; use ${BUDGET_WINDOWS.map((each) => `${each}=5`).join(', ')}`,
      );
    asked[window] = amount === NONE ? null : readBudget(text, amount);
  }
  return { budgets: asked };
}

function readBudget(text: string, amount: string): string {
  const usd = readUsd('--budget', amount);
  if (parseUsd(usd) < NO_MONEY) throw new UsageError(`--budget ${text} is negative`);
  return usd;
}

function lists(context: CommandContext): Record<string, readonly string[] | null> {
  const asked: Record<string, readonly string[] | null> = {};
  for (const [flag, { field }] of Object.entries(LISTS)) {
    const given = context.list(flag);
    if (given.length === 0) continue;
    if (!given.includes(NONE)) for (const value of given) checkEntry(flag, value);
    asked[field] = given.includes(NONE) ? null : given;
  }
  return asked;
}

/** Operations are not checked here: only the control plane knows them, and refuses others. */
function checkEntry(flag: string, value: string): void {
  let wrong: string | null = null;
  if (flag === 'ips' && parseAddressRange(value) === null)
    wrong = 'it is neither an IP address nor a CIDR range (10.0.0.0/8)';
  if (flag === 'models' || flag === 'models-deny') wrong = patternComplaint(value);
  if (wrong !== null) throw new UsageError(`--${flag} "${escapeUnplain(value)}" is not accepted: ${wrong}`);
}

export interface LimitRow {
  readonly requests_per_minute: number | null;
  readonly requests_per_day: number | null;
  readonly tokens_per_minute: number | null;
  readonly concurrent_calls: number | null;
  readonly budgets: Readonly<Record<string, number>>;
}

export interface PermissionRow {
  readonly operations: readonly string[] | null;
  readonly models_allow: readonly string[] | null;
  readonly models_deny: readonly string[] | null;
  readonly ips: readonly string[] | null;
}

/** Limits and permissions in a few words; `-` for none. */
export function limitsText({
  limits,
  permissions,
}: {
  readonly limits: LimitRow;
  readonly permissions: PermissionRow;
}): string {
  const parts = [
    ...Object.entries(RATES).flatMap(([name, { field }]) =>
      limits[field] === null ? [] : [`${limits[field]} ${name}`],
    ),
    ...Object.entries(limits.budgets).map(([window, amount]) => `$${formatUsd(parseUsd(amount.toFixed(9)))}/${window}`),
    ...Object.entries(LISTS).flatMap(([name, { field }]) => {
      const list = permissions[field];
      return list === null ? [] : [`${name} ${escapeUnplain(list.join(','))}`];
    }),
  ];
  return parts.length === 0 ? '-' : parts.join(', ');
}
