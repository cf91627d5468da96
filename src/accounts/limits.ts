/** What a key, a project or an account may do, and how much. The tightest of the three applies. */
import { BUDGET_WINDOWS, type Budgets } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import { hasModel, mayMeanModel } from '../core/routing/model-pattern.ts';
import { parseAddressRange } from './address-list.ts';
import { LIST_MAX, PATTERN_LENGTH_MAX, PERMISSIONS_LENGTH_MAX } from './list-bounds.ts';
import { isPlainText } from './plain-text.ts';

/** Absent means unlimited. `limits/` counts rates, which may be forgotten; the bank counts budgets, which may not. */
export interface Limits {
  readonly requestsPerMinute?: number;
  readonly requestsPerDay?: number;
  /** Prompt and completion tokens together. */
  readonly tokensPerMinute?: number;
  readonly concurrentCalls?: number;
  readonly budgets?: Budgets;
}

/** An absent list allows all. Patterns of models may end in `*`; addresses are IPs or CIDR ranges. */
export interface Permissions {
  readonly operations?: readonly string[];
  readonly modelsAllow?: readonly string[];
  readonly modelsDeny?: readonly string[];
  readonly ips?: readonly string[];
}

/** Whether the permissions allow a model id. */
export function mayUseModel(permissions: Permissions, modelId: string): boolean {
  if (permissions.modelsDeny?.some((pattern) => mayMeanModel(pattern, modelId))) return false;
  return permissions.modelsAllow?.some((pattern) => hasModel(pattern, modelId)) ?? true;
}

/** Returns a test for the models that all three allow. A child never widens its parent. */
export function mayUse(key: Permitted, project: Permitted, account: Permitted): (modelId: string) => boolean {
  return (modelId) =>
    mayUseModel(key.permissions, modelId) &&
    mayUseModel(project.permissions, modelId) &&
    mayUseModel(account.permissions, modelId);
}

export interface Permitted {
  readonly permissions: Permissions;
}

/**
 * Validates limits before they are set. Throws `GatewayError` `invalid_value` with the field. Unknown names are refused, because a misspelt
 * limit would limit nothing.
 */
export function checkLimits(limits: Limits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (name === 'budgets') checkBudgets(limits.budgets ?? {});
    else if (!RATE_NAMES.includes(name))
      throw invalid(`limits.${name}`, `the known limits are ${RATE_NAMES.join(', ')}, budgets`);
    else if (value !== undefined && !(Number.isSafeInteger(value) && Number(value) > 0))
      throw invalid(`limits.${name}`, 'a limit must be a whole number of 1 or more');
  }
}

/** Validates permissions before they are set. Throws `GatewayError` `invalid_value` with the field. `operations` are the known ones. */
export function checkPermissions(permissions: Permissions, operations: readonly string[]): void {
  for (const [name, list] of Object.entries(permissions)) {
    const field = `permissions.${name}`;
    if (!PERMISSION_NAMES.includes(name))
      throw invalid(field, `the known permissions are ${PERMISSION_NAMES.join(', ')}`);
    if (list === undefined) continue;
    if (!Array.isArray(list)) throw invalid(field, 'it must be a list');
    if (list.length > LIST_MAX) throw invalid(field, `a list has at most ${LIST_MAX} entries`);
    for (const [index, value] of list.entries()) {
      const wrong = typeof value === 'string' ? complaint(name, value, operations) : 'it must be text';
      if (wrong !== null) throw invalid(`${field}[${index}]`, wrong);
    }
  }
  if (permissionsLength(permissions) > PERMISSIONS_LENGTH_MAX)
    throw invalid('permissions', `its lists may have at most ${PERMISSIONS_LENGTH_MAX} characters in total`);
}

const RATE_NAMES: readonly string[] = ['requestsPerMinute', 'requestsPerDay', 'tokensPerMinute', 'concurrentCalls'];
const PERMISSION_NAMES: readonly string[] = ['operations', 'modelsAllow', 'modelsDeny', 'ips'];

/** A budget of zero is valid: it allows free calls only. */
function checkBudgets(budgets: Budgets): void {
  const windows: readonly string[] = BUDGET_WINDOWS;
  for (const [window, amount] of Object.entries(budgets)) {
    const field = `limits.budgets.${window}`;
    if (!windows.includes(window)) throw invalid(field, `the known periods are ${windows.join(', ')}`);
    if (amount !== undefined && !(typeof amount === 'bigint' && amount >= 0n))
      throw invalid(field, 'a budget must be an amount of 0 or more');
  }
}

/** What is wrong with an entry of a permission list, or null. */
function complaint(name: string, value: string, operations: readonly string[]): string | null {
  if (name === 'operations')
    return operations.includes(value) ? null : `the known operations are ${operations.join(', ')}`;
  if (name === 'ips')
    return parseAddressRange(value) === null ? 'it is neither an IP address nor a CIDR range (10.0.0.0/8)' : null;
  return patternComplaint(value);
}

/** What is wrong with a model pattern, or null. */
export function patternComplaint(pattern: string): string | null {
  if (pattern.length > PATTERN_LENGTH_MAX) return `a pattern has at most ${PATTERN_LENGTH_MAX} characters`;
  if (pattern.trim() !== pattern || pattern === '') return 'a pattern must be a model id, or a prefix and *';
  if (!isPlainText(pattern)) return 'a pattern must not contain control characters';
  return pattern.slice(0, -1).includes('*') ? 'a pattern may have * only at its end' : null;
}

function invalid(param: string, reason: string): GatewayError {
  return new GatewayError('invalid_value', { message: `${param} is not accepted: ${reason}.`, param });
}

/** Whether `other` matches every model that `pattern` matches. */
export function isPatternWithin(pattern: string, other: string): boolean {
  return other.endsWith('*') ? pattern.startsWith(other.slice(0, -1)) : pattern === other;
}

/** Total characters in all lists. */
export function permissionsLength(permissions: Permissions): number {
  let length = 0;
  for (const list of listsOf(permissions)) for (const entry of list) length += entry.length;
  return length;
}

/** The lists that are set. */
export function listsOf({ operations, modelsAllow, modelsDeny, ips }: Permissions): (readonly string[])[] {
  return [operations, modelsAllow, modelsDeny, ips].filter((list) => list !== undefined);
}
