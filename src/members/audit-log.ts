/**
 * The audit log: every change, its actor, and the fields that differ, as plain JSON of a bounded size. Callers must not pass secrets; as a
 * safeguard, fields with names of secrets are hidden.
 */

import { createHash } from 'node:crypto';
import { isObject } from '../core/json-object.ts';
import { nanoUsd, usdLiteral } from '../core/money.ts';
import { Secret } from '../core/secret.ts';
import type { AuditStore, NewAuditEntry } from './ports.ts';

type Fields = Readonly<Record<string, unknown>>;

/** For each of `before` and `after`, in bytes of JSON. */
const FIELDS_BYTES_MAX = 8 * 1024;
const NAME_LENGTH_MAX = 300;
const DEPTH_MAX = 8;
const HIDDEN = '[secret]';

export class AuditLog implements Pick<AuditStore, 'append'> {
  readonly #store: Pick<AuditStore, 'append'>;
  readonly #onLost: (entry: NewAuditEntry) => void;

  /**
   * `onLost` receives an entry that could not be written. A change in the database is rolled back with it; a change of files is not. Must not throw.
   */
  constructor(store: Pick<AuditStore, 'append'>, onLost: (entry: NewAuditEntry) => void = () => undefined) {
    this.#store = store;
    this.#onLost = onLost;
  }

  /** Resolves when the entry is written. `before` and `after` are cleaned and capped here. */
  async append(entry: NewAuditEntry): Promise<void> {
    const { actor, subject, before, after } = entry;
    const clean: NewAuditEntry = {
      ...entry,
      actor: { ...actor, name: cut(actor.name) },
      subject: { ...subject, id: cut(subject.id), name: subject.name === null ? null : cut(subject.name) },
      before: before === null ? null : capped(plainFields(before)),
      after: after === null ? null : capped(plainFields(after)),
    };
    try {
      await this.#store.append(clean);
    } catch (error) {
      this.#onLost(clean);
      throw error;
    }
  }
}

/** Both null if nothing differs. Spread it into a change: `{ action, subject, ...changedFields(a, b) }`. */
export interface ChangedFields {
  readonly before: Fields | null;
  readonly after: Fields | null;
}

/**
 * Only the fields that differ, also within objects. A field that is missing on one side is null there. Amounts of money (`bigint`,
 * nano-USD) become exact numbers of USD.
 */
export function changedFields(before: Fields, after: Fields): ChangedFields {
  return difference(plainFields(before), plainFields(after)) ?? { before: null, after: null };
}

function difference(before: Fields, after: Fields): { readonly before: Fields; readonly after: Fields } | null {
  const was: [string, unknown][] = [];
  const is: [string, unknown][] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[name] ?? null, after[name] ?? null];
    const inner = isFields(old) && isFields(now) ? difference(old, now) : { before: old, after: now };
    if (inner === null || JSON.stringify(inner.before) === JSON.stringify(inner.after)) continue;
    was.push([name, inner.before]);
    is.push([name, inner.after]);
  }
  return was.length === 0 ? null : { before: Object.fromEntries(was), after: Object.fromEntries(is) };
}

function isFields(value: unknown): value is Fields {
  return isObject(value) && !isRawJson(value);
}

/** Replaces fields that are too large by a note with their size, names and a digest. */
function capped(fields: Fields): Fields {
  const text = JSON.stringify(fields);
  const bytes = Buffer.byteLength(text);
  if (bytes <= FIELDS_BYTES_MAX) return fields;
  const names = Object.keys(fields).slice(0, 20).map(cut);
  return {
    note: `These fields are ${bytes} bytes of JSON; the limit is ${FIELDS_BYTES_MAX}.`,
    fields: names,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

function plainFields(fields: Fields, depth = 0): Fields {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isSecretField(name, value) ? HIDDEN : plainValue(value, depth + 1)]),
  );
}

function plainValue(value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return usdLiteral(nanoUsd(value));
  if (typeof value !== 'object') return null;
  if (value instanceof Secret) return HIDDEN;
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  // An amount: a number with all its digits.
  if (isRawJson(value)) return value;
  if (depth > DEPTH_MAX) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  return plainFields(value as Fields, depth);
}

/** A name with one of these words is a secret. */
const SECRET_WORDS = new Set(['secret', 'secrets', 'password', 'passwords', 'credential', 'credentials', 'cookie']);
/** A name that ends with one of these words is a secret; `key_id` and `tokens_per_minute` are not. */
const SECRET_ENDINGS = new Set(['token', 'key', 'authorization', 'hash', 'digest']);

/** A safeguard: no handler passes any of these. Whether one is set or removed is not a secret. */
function isSecretField(name: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return false;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (words.some((word) => SECRET_WORDS.has(word))) return true;
  // An object under `key` contains the fields of a key.
  return !isFields(value) && SECRET_ENDINGS.has(words.at(-1) ?? '');
}

function isRawJson(value: object): value is { readonly rawJSON: string } {
  return Object.getPrototypeOf(value) === null && typeof (value as { rawJSON?: unknown }).rawJSON === 'string';
}

function cut(text: string): string {
  return text.length > NAME_LENGTH_MAX ? `${text.slice(0, NAME_LENGTH_MAX - 1)}…` : text;
}
