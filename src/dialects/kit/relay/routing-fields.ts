/** The fields in which a caller states where its call may be served. They reach no provider: each has its own names. */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';

const ROUTING_FIELDS = ['models', 'route', 'provider'] as const;

/** Those that a request has, to be removed with whatever else is removed from the same object. */
export function routingFields({ fields }: JsonDocument): readonly JsonField[] {
  if (!ROUTING_FIELDS.some((name) => fields.has(name))) return NONE;
  return ROUTING_FIELDS.flatMap((name) => fields.get(name) ?? NONE);
}

const NONE: readonly JsonField[] = [];
