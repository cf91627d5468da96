/** What an alias may be called, and what it may lead to. */
import { GatewayError } from '../core/errors.ts';
import type { AliasTarget } from './alias.ts';
import type { Catalog } from './model.ts';
import { knownIdOf } from './models.ts';

/** What an alias is compared with. */
export interface AliasCheck {
  readonly catalog: Catalog;
  /** Whether the name leads somewhere in the scope of the alias or around it. */
  readonly isAlias: (name: string) => boolean;
}

export const ALIAS_NAME_MAX = 100;
/** Without `:` and `[`, which begin what callers append to a name, such as `:floor`. */
export const ALIAS_NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/;
export const ALIAS_NAME_RULE =
  'a name begins with a letter or a digit, and has only letters, digits and . _ - / (at most 100 characters)';
export const ALIAS_TARGETS_MAX = 20;
export const ALIAS_WEIGHT_MAX = 1_000_000;

/** Throws `GatewayError` `invalid_value`. The id of a model always means that model, even if no provider serves it now. */
export function checkAliasName({ catalog }: Pick<AliasCheck, 'catalog'>, name: string): void {
  if (!ALIAS_NAME.test(name)) throw wrong('name', ALIAS_NAME_RULE);
  if (catalog.get(name) === undefined && !isModelId(name)) return;
  throw wrong('name', `${name} is the id of a model, which always means that model. Choose another name`);
}

/**
 * The targets, with the ids that the catalogue has for their models. Throws `GatewayError` `invalid_value` for a list that is empty, too long or without a weight, for a target that is there twice, and for a
 * model that is not served. What was there `before` is accepted: its provider may be disabled at the moment.
 */
export function checkAliasTargets(
  { catalog, isAlias }: AliasCheck,
  targets: readonly AliasTarget[],
  before: readonly AliasTarget[] = [],
): readonly AliasTarget[] {
  const wrongList = listComplaint(targets);
  if (wrongList !== null) throw wrong('targets', wrongList);
  const checked: AliasTarget[] = [];
  for (const [index, { model, provider, weight }] of targets.entries()) {
    const where = `targets.${index}`;
    const served = catalog.get(model);
    const target: AliasTarget = { model: served?.id ?? model, provider, weight };
    if (checked.some((each) => isSame(each, target))) throw wrong(where, 'an earlier target is the same');
    checked.push(target);
    if (before.some((each) => isSame(each, target))) continue;
    if (served === undefined) throw wrong(`${where}.model`, modelComplaint(model, isAlias));
    if (provider !== null && !served.targets.some((each) => each.provider === provider))
      throw wrong(`${where}.provider`, `the provider ${provider} does not serve ${served.id}`);
  }
  return checked;
}

/** Whether it is the id of a known model, in any spelling, whoever serves it. */
export function isModelId(name: string): boolean {
  return knownIdOf(name) !== null;
}

/** What is wrong with the list as a whole, or null. */
export function listComplaint(targets: readonly AliasTarget[]): string | null {
  if (targets.length === 0) return 'an alias leads to at least one model';
  if (targets.length > ALIAS_TARGETS_MAX) return `an alias leads to at most ${ALIAS_TARGETS_MAX} models`;
  const isWeight = (weight: number) => Number.isSafeInteger(weight) && weight >= 0 && weight <= ALIAS_WEIGHT_MAX;
  if (!targets.every(({ weight }) => isWeight(weight)))
    return `a weight is a whole number between 0 and ${ALIAS_WEIGHT_MAX}`;
  return targets.some(({ weight }) => weight > 0) ? null : 'at least one weight must be more than 0';
}

function modelComplaint(model: string, isAlias: (name: string) => boolean): string {
  if (isAlias(model)) return `${model} is an alias, and an alias leads to models only`;
  return isModelId(model)
    ? `no provider that serves ${model} is configured`
    : `no model has the id ${model}; use a whole id from the list of models, such as openai/gpt-5-mini`;
}

function isSame(one: AliasTarget, other: AliasTarget): boolean {
  return one.model === other.model && one.provider === other.provider;
}

function wrong(param: string, reason: string): GatewayError {
  return new GatewayError('invalid_value', { message: `${param} is not accepted: ${reason}.`, param });
}
