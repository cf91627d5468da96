import type { Steps } from '../core/turns/steps.ts';
import type { Config } from './config.ts';

/** Freezes all of it, with a step for each provider. */
export function* freeze(config: Config): Steps<Config> {
  for (const provider of config.providers) {
    deepFreeze(provider);
    yield;
  }
  return deepFreeze(config);
}

/** Plain objects and lists only: a `Secret` protects itself. */
function deepFreeze<Value>(value: Value): Value {
  if (Object.isFrozen(value)) return value;
  if (
    Array.isArray(value) ||
    (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
  ) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
