/** Models of an alias on the command line: `vendor/name`, `vendor/name=95`, `vendor/name@provider=5`. */
import { UsageError } from '../../command-errors.ts';

export interface AliasTargetInput {
  readonly model: string;
  readonly provider?: string;
  readonly weight?: number;
}

/** Throws `UsageError`. What follows the last `@` is a provider. */
export function readTargets(texts: readonly string[]): readonly AliasTargetInput[] {
  return texts.map((text) => {
    const equals = text.lastIndexOf('=');
    const weight = equals === -1 ? null : text.slice(equals + 1);
    const rest = equals === -1 ? text : text.slice(0, equals);
    const at = rest.lastIndexOf('@');
    const model = at === -1 ? rest : rest.slice(0, at);
    const provider = at === -1 ? null : rest.slice(at + 1);
    if (model.trim() === '' || provider === '')
      throw new UsageError(`--to ${text} is not a model; use vendor/name, vendor/name=95 or vendor/name@provider=5`);
    if (weight !== null && !/^\d{1,7}$/.test(weight))
      throw new UsageError(`--to ${text}: the weight is not a whole number of 0 or more`);
    return {
      model: model.trim(),
      ...(provider === null ? {} : { provider: provider.trim() }),
      ...(weight === null ? {} : { weight: Number(weight) }),
    };
  });
}

/** The same form again: `vendor/name@provider=5`. */
export function targetText(target: {
  readonly model: string;
  readonly provider: string | null;
  readonly weight: number;
}): string {
  return `${target.model}${target.provider === null ? '' : `@${target.provider}`}=${target.weight}`;
}
