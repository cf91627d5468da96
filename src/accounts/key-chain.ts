/**
 * A rotated key has earlier secrets that stay good until their grace is over. They are the same key: a change of it applies to them too.
 */
import type { Key } from './keys.ts';
import type { KeyChanges } from './ports.ts';
import {
  type FieldValue,
  fieldsOf,
  isSame,
  type KeySettings,
  type Restrictable,
  settingsOf,
} from './restrictable-fields.ts';
import {
  type Ceiling,
  LEVELS,
  NO_RESTRICTIONS,
  type RestrictingLevel,
  type Restrictions,
  tightest,
} from './restrictions.ts';

/** The keys of the chain that this one was rotated from. */
export function predecessorsIn(chain: readonly Key[], key: Key): readonly Key[] {
  return chain.filter(({ id }) => id < key.id);
}

/** Whether a rotated key is within its grace, even if disabled or expired, which may be undone. */
export function isRetiring({ revokedAt, retiringAt }: Key, nowMs: number): boolean {
  return revokedAt === null && retiringAt !== null && retiringAt > nowMs;
}

type Settings = Restrictable & { readonly restrictions?: Restrictions | undefined };
type FollowedSettings = KeySettings & { readonly restrictions: Restrictions };

/** The settings of a key after an update. */
export function withUpdate(key: Key, update: KeyChanges) {
  return {
    disabled: update.disabled ?? key.disabled,
    expiresAt: update.expiresAt === undefined ? key.expiresAt : update.expiresAt,
    limits: update.limits ?? key.limits,
    permissions: update.permissions ?? key.permissions,
    restrictions: update.restrictions ?? key.restrictions,
  };
}

/** The new settings of the predecessors that are still good, if they change. */
export function followingPredecessors(
  predecessors: readonly Key[],
  before: Key,
  after: Settings,
  nowMs: number,
): readonly { readonly before: Key; readonly after: FollowedSettings }[] {
  return predecessors.flatMap((predecessor) => {
    const settings = isRetiring(predecessor, nowMs) ? following(predecessor, before, after) : null;
    return settings === null ? [] : [{ before: predecessor, after: settings }];
  });
}

/**
 * The settings of a predecessor after its successor was changed, field by field: it follows if both had the same value; if they differed,
 * because somebody had changed it alone, it gets the tighter of the two. Null if nothing changes.
 */
function following(predecessor: Key, before: Settings, after: Settings): FollowedSettings | null {
  const [own, was, is] = [predecessor, before, after].map(restrictedFieldsOf) as [Restricted, Restricted, Restricted];
  const next = new Map<string, FieldValue>();
  const ceilings: { [Level in RestrictingLevel]?: Ceiling } = {};
  let differs = false;
  for (const name of new Set([own, was, is].flatMap(({ names }) => [...names]))) {
    const isAlike = LAYERS.every((layer) => isSame(own.at(layer, name), was.at(layer, name)));
    for (const layer of LAYERS) {
      const value = isAlike ? is.at(layer, name) : tightest(name, own.at(layer, name), is.at(layer, name));
      differs ||= !isSame(value, own.at(layer, name));
      if (value === undefined) continue;
      if (layer === 'set') next.set(name, value);
      else ceilings[layer] = { ...ceilings[layer], [name]: value };
    }
  }
  if (!differs) return null;
  return { ...settingsOf(next), restrictions: Object.keys(ceilings).length === 0 ? NO_RESTRICTIONS : ceilings };
}

/** What is set, and what each level restricted. */
type Layer = 'set' | RestrictingLevel;
const LAYERS: readonly Layer[] = ['set', ...(LEVELS.slice(1) as RestrictingLevel[])];

interface Restricted {
  readonly names: ReadonlySet<string>;
  at(layer: Layer, name: string): FieldValue | undefined;
}

function restrictedFieldsOf(settings: Settings): Restricted {
  const fields = fieldsOf(settings);
  const { restrictions = NO_RESTRICTIONS } = settings;
  return {
    names: new Set([...fields.keys(), ...Object.values(restrictions).flatMap((ceiling) => Object.keys(ceiling))]),
    at: (layer, name) => (layer === 'set' ? fields.get(name) : restrictions[layer]?.[name]),
  };
}
