import { inspect } from 'node:util';

const SHOWN = '[secret]';

/**
 * A value that must not be seen: a provider's credential, a pepper, a new key. Printing,
 * interpolating, serialising and inspecting it all show `[secret]`; only `reveal()` returns the value,
 * so every use can be found by searching for that word.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
