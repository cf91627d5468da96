/** The known top-level names of a request, some of them governed: those choose a model, a price, an upstream or stored data. */
import { type ErrorCode, GatewayError } from '../../../core/errors.ts';
import { SpelledNames } from '../../../wire/spelled-names.ts';

export interface GovernedName {
  readonly name: string;
  /** Why, as the end of a sentence. */
  readonly reason: string;
  /** What the caller can do, as a sentence. */
  readonly remedy?: string;
  /** Machine-readable facts for the error, if clients expect them. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export class GovernedNames<Field extends GovernedName> {
  /** How a name is governed; null if it is only read. */
  readonly #known: ReadonlyMap<string, Field | null>;
  readonly #spelled: SpelledNames;

  /** `read`: the names that are only read. */
  constructor(governed: readonly Field[], read: readonly string[]) {
    this.#known = new Map([
      ...read.map((name) => [name, null] as const),
      ...governed.map((field) => [field.name, field] as const),
    ]);
    this.#spelled = new SpelledNames(this.#known.keys());
  }

  /** How this name is governed, or null. Throws 400 for a misspelling that some provider may accept for a known name. */
  find(name: string): Field | null {
    const known = this.#known.get(name);
    if (known === undefined) this.#spelled.refuseMisspelled(name);
    return known ?? null;
  }
}

/** `outright`: no value of the field is accepted. */
export function governedRefusal({ name, reason, remedy, facts }: GovernedName, outright: boolean): GatewayError {
  const code: ErrorCode = outright ? 'field_not_allowed' : 'unsupported_value';
  const what = outright ? `The field "${name}"` : `This value of "${name}"`;
  return new GatewayError(code, {
    message: `${what} is not accepted by this gateway: ${reason}.${remedy === undefined ? '' : ` ${remedy}`}`,
    param: name,
    ...(facts === undefined ? {} : { facts }),
  });
}
