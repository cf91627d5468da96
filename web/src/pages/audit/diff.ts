/** The changed fields of an entry. */
import type { AuditEntry } from '../../api/types.ts';

export interface FieldChange {
  /** `limits.budgets.month`, in words: `limits › budgets › month`. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Unchanged fields are left out; fields of nested objects are listed separately. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): readonly FieldChange[] {
  const old = flatten(before);
  const now = flatten(after);
  const fields = [...new Set([...old.keys(), ...now.keys()])];
  return fields
    .map((field) => ({ field, before: old.get(field), after: now.get(field) }))
    .filter((change) => writeValue(change.before) !== writeValue(change.after));
}

/** `none`, `yes`, `a, b`, or JSON for nested values. */
export function writeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ') || 'none';
  return JSON.stringify(value, null, 2);
}

function flatten(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return path === '' ? new Map() : new Map([[path, value]]);
  }
  const fields = Object.entries(value);
  return new Map(
    fields.flatMap(([name, inner]) => {
      const words = name.replaceAll('_', ' ');
      return [...flatten(inner, path === '' ? words : `${path} › ${words}`)];
    }),
  );
}
