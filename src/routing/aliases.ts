/**
 * From an alias to the models that it leads to, in the order in which they are tried: the one chosen by weight, then the others as listed.
 * Pure; nothing here depends on how many aliases or keys there are.
 *
 * By key, each model gets a score from a hash of key, alias and model, stretched by its weight, and the highest score is chosen (weighted
 * rendezvous hashing: https://www.snia.org/sites/default/files/SDC15_presentations/dist_sys/Jason_Resch_New_Consistent_Hashings_Rev.pdf).
 * So a key keeps its model until weights change, and then only as many keys move as must: a canary that grows from 5 to 10 % keeps the keys
 * that it had.
 */
import { createHmac } from 'node:crypto';
import type { AliasRule, AliasTarget } from '../catalog/alias.ts';
import type { Catalog, Model } from '../catalog/model.ts';
import { GatewayError } from '../core/errors.ts';
import type { KeyId } from '../core/ids.ts';

/** A model that a call may be served by, and at which provider: null for all that serve it. */
export interface AliasModel {
  readonly model: Model;
  readonly provider: string | null;
}

export interface AliasCaller {
  /** The first key of the caller's chain of rotations: a rotated key keeps its model. */
  readonly rootId: KeyId;
  /** Whether the caller's key may use a model, by its id. */
  readonly mayUse: (modelId: string) => boolean;
  /** At least 0 and below 1, another one for each call. */
  readonly random: () => number;
}

/**
 * Never empty. Weights count among the models that are served and that the key may use; one of weight 0 is never chosen while another is
 * left. Throws `GatewayError` 403 `model_not_allowed` if the key may use none of them, 404 `model_not_found` if none is served.
 */
export function resolveAlias(rule: AliasRule, catalog: Catalog, caller: AliasCaller): readonly AliasModel[] {
  const { targets, name } = rule;
  const served = targets.map((target) => servedBy(target, catalog));
  const usable: AliasTarget[] = [];
  const models: AliasModel[] = [];
  for (const [index, each] of served.entries()) {
    if (each === null || !caller.mayUse(each.model.id)) continue;
    usable.push(targets[index] as AliasTarget);
    models.push(each);
  }
  if (models.length === 0)
    throw leadsNowhere(
      name,
      served.every((each) => each === null),
    );
  if (models.length === 1) return models;
  const chosen = chosenOf(rule, usable, caller);
  return chosen === 0 ? models : [models[chosen] as AliasModel, ...models.toSpliced(chosen, 1)];
}

/** Null if the model, or the named provider's, is not served now. An alias never leads to an alias: only ids are looked up. */
export function servedBy({ model: id, provider }: AliasTarget, catalog: Catalog): AliasModel | null {
  const model = catalog.get(id);
  if (model === undefined) return null;
  if (provider !== null && !model.targets.some((target) => target.provider === provider)) return null;
  return { model, provider };
}

/** The position of the one that is tried first. */
export function chosenOf(
  rule: AliasRule,
  targets: readonly AliasTarget[],
  { rootId, random }: Pick<AliasCaller, 'rootId' | 'random'>,
): number {
  return rule.choice === 'key' ? chosenByKey(targets, digestOf(rule, rootId)) : chosenAtRandom(targets, random());
}

function chosenByKey(targets: readonly AliasTarget[], digest: number): number {
  let chosen = 0;
  let best = 0;
  for (const [index, target] of targets.entries()) {
    const score = target.weight / -Math.log(fractionOf(mixed(digest ^ hashOf(target))));
    if (score <= best) continue;
    best = score;
    chosen = index;
  }
  return chosen;
}

function chosenAtRandom(targets: readonly AliasTarget[], fraction: number): number {
  let total = 0;
  for (const { weight } of targets) total += weight;
  let left = fraction * total;
  for (const [index, { weight }] of targets.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return 0;
}

/** Keys whose digest is remembered for one alias; a change of the alias forgets them. */
const DIGESTS_MAX = 4096;
const digests = new WeakMap<AliasRule, Map<KeyId, number>>();

/** 32 bits of the HMAC-SHA-256 of the key's id under the alias's name: the same at every start and every node. */
function digestOf(rule: AliasRule, rootId: KeyId): number {
  let ofRule = digests.get(rule);
  if (ofRule === undefined) {
    ofRule = new Map();
    digests.set(rule, ofRule);
  }
  const known = ofRule.get(rootId);
  if (known !== undefined) return known;
  if (ofRule.size >= DIGESTS_MAX) ofRule.clear();
  const digest = createHmac('sha256', rule.name).update(String(rootId)).digest().readUInt32LE();
  ofRule.set(rootId, digest);
  return digest;
}

const hashes = new WeakMap<AliasTarget, number>();

/** FNV-1a, 32 bits, of what makes a target another one: https://datatracker.ietf.org/doc/html/rfc9923 */
function hashOf(target: AliasTarget): number {
  const known = hashes.get(target);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${target.model}\0${target.provider ?? ''}`))
    hash = Math.imul(hash ^ byte, 0x01000193);
  hashes.set(target, hash);
  return hash;
}

/** Spreads a difference in any bit over all of them (the last steps of MurmurHash3, which lose nothing). */
function mixed(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Above 0 and below 1. */
function fractionOf(bits: number): number {
  return (bits + 0.5) / 2 ** 32;
}

function leadsNowhere(name: string, isUnserved: boolean): GatewayError {
  return isUnserved
    ? new GatewayError('model_not_found', {
        message: `None of the models that the alias "${name}" leads to is served now. Ask whoever manages the alias to name others.`,
        param: 'model',
      })
    : new GatewayError('model_not_allowed', {
        message: `This key is not allowed to use a model that the alias "${name}" leads to.`,
        param: 'model',
      });
}
