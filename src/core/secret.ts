import { inspect } from 'node:util';

const SHOWN = '[secret]';

/**
 * A value that must not be seen: a provider's credential, a pepper, a new key. Printing,
 * interpolating, serialising and inspecting it all say `[secret]`; only `reveal()` gives the value,
 * so every place that uses one can be found by that word.
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
