/** Top-level names of a request, of which some are governed: they choose a model, a price, an upstream or somebody's stored data. */
import { type ErrorCode, GatewayError } from '../../../core/errors.ts';
import { SpelledNames } from '../../../wire/spelled-names.ts';

export interface GovernedName {
  readonly name: string;
  /** Why, as the end of a sentence. */
  readonly reason: string;
  /** What the caller can do, as a sentence. */
  readonly remedy?: string;
  /** Machine-readable facts for the error, where a client knows them. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export class GovernedNames<Field extends GovernedName> {
  /** How a name is governed; null where it is read otherwise. */
  readonly #known: ReadonlyMap<string, Field | null>;
  readonly #spelled: SpelledNames;

  /** `read`: the names that are read otherwise. */
  constructor(governed: readonly Field[], read: readonly string[]) {
    this.#known = new Map([
      ...read.map((name) => [name, null] as const),
      ...governed.map((field) => [field.name, field] as const),
    ]);
    this.#spelled = new SpelledNames(this.#known.keys());
  }

  /** How this name is governed, or null. Throws 400 for a name that some provider may take for a known one. */
  find(name: string): Field | null {
    const known = this.#known.get(name);
    if (known === undefined) this.#spelled.refuseMisspelled(name);
    return known ?? null;
  }
}

/** `outright`: no value of the field is accepted, whatever it is. */
export function governedRefusal({ name, reason, remedy, facts }: GovernedName, outright: boolean): GatewayError {
  const code: ErrorCode = outright ? 'field_not_allowed' : 'unsupported_value';
  const what = outright ? `The field "${name}"` : `This value of "${name}"`;
  return new GatewayError(code, {
    message: `${what} is not accepted by this gateway: ${reason}.${remedy === undefined ? '' : ` ${remedy}`}`,
    param: name,
    ...(facts === undefined ? {} : { facts }),
  });
}
