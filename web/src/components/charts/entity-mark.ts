/**
 * The colour of a model, key, project or provider: its own in every chart, however a page is filtered or ordered. There are
 * eight colours, and each is plain or striped. It is computed from the name; if two names map to the same, the later
 * one takes the next free one. An assignment is permanent: it is stored in the browser, by digests of the names.
 */

export type EntityKind = 'model' | 'key' | 'project' | 'provider' | 'tokens';

export interface Mark {
  /** The name of a CSS variable. */
  readonly colour: string;
  readonly isStriped: boolean;
}

/** The sum of the remaining entities, "Other", which is a series itself. */
export const OTHER = 'other';
const COLOURS = 8;
const SLOTS = COLOURS * 2;
/** Per kind; beyond that the oldest are forgotten. */
const KEPT_MAX = 300;
const STORED = 'turnpike.marks';

/** By kind, from a name's digest to its slot. */
type Marks = Readonly<Record<string, Readonly<Record<string, number>>>>;

export function markOf(kind: EntityKind, id: string): Mark {
  // Only grey is close to another colour for colour-blind people.
  if (id === OTHER) return { colour: '--chart-other', isStriped: true };
  const digest = digestOf(id);
  let slot = known[kind]?.[digest];
  if (slot === undefined) {
    // Another tab may have assigned one.
    known = { ...known, ...stored() };
    slot = known[kind]?.[digest] ?? keep(kind, digest);
  }
  return { colour: `--chart-${(slot % COLOURS) + 1}`, isStriped: slot >= COLOURS };
}

/** The slot for a digest, given the taken ones: 0 to 7 are plain, 8 to 15 striped. Once all are taken, the least used. */
export function freeSlot(digest: string, taken: readonly number[]): number {
  const wanted = Number.parseInt(digest, 16);
  const counts = new Array<number>(SLOTS).fill(0);
  for (const slot of taken) counts[slot] = (counts[slot] ?? 0) + 1;
  const least = Math.min(...counts);
  for (let step = 0; step < SLOTS; step += 1) {
    const slot = (step < COLOURS ? 0 : COLOURS) + ((wanted + step) % COLOURS);
    if (counts[slot] === least) return slot;
  }
  return 0;
}

/** FNV-1a, eight hexadecimal digits. http://www.isthe.com/chongo/tech/comp/fnv/ */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

let known: Marks = {};

function keep(kind: EntityKind, digest: string): number {
  const before = Object.entries(known[kind] ?? {}).slice(1 - KEPT_MAX);
  const slot = freeSlot(
    digest,
    before.map(([, each]) => each),
  );
  known = { ...known, [kind]: Object.fromEntries([...before, [digest, slot]]) };
  try {
    localStorage.setItem(STORED, JSON.stringify(known));
  } catch {
    // A browser without storage: they last until the page is reloaded.
  }
  return slot;
}

function stored(): Marks {
  try {
    return parsed(JSON.parse(localStorage.getItem(STORED) ?? '{}'));
  } catch {
    return {};
  }
}

/** Entries that were tampered with in the browser's storage are left out. */
function parsed(value: unknown): Marks {
  if (typeof value !== 'object' || value === null) return {};
  const kinds = Object.entries(value).filter(([, slots]) => typeof slots === 'object' && slots !== null);
  return Object.fromEntries(
    kinds.map(([kind, slots]) => [
      kind,
      Object.fromEntries(
        Object.entries(slots as Record<string, unknown>).filter(
          (entry): entry is [string, number] =>
            Number.isInteger(entry[1]) && Number(entry[1]) >= 0 && Number(entry[1]) < SLOTS,
        ),
      ),
    ]),
  );
}
