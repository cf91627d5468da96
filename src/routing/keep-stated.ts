/** Step: keeps the candidates at providers that the caller names, and of models that take what the request sets. */
import { parametersOf } from '../catalog/parameters-of.ts';
import type { RoutePreferences } from '../core/routing/route-preferences.ts';
import type { Provider } from '../providers/provider.ts';
import type { Candidate } from './candidate.ts';
import { isNamed, mayBeNamed } from './provider-names.ts';
import { keepWithout, type Note, type Reason } from './reason.ts';

export function keepStated(
  candidates: readonly Candidate[],
  preferences: RoutePreferences,
  providers: ReadonlyMap<string, Provider>,
  note: Note | null,
): readonly Candidate[] {
  const { only, ignore, requiredParameters } = preferences;
  if (only.length + ignore.length === 0 && requiredParameters === null) return candidates;
  return keepWithout(
    candidates,
    ({ model, target }): Reason | null => {
      const provider = providers.get(target.provider);
      if (provider === undefined) return 'not_in_only';
      if (only.length > 0 && !isNamed(provider, only)) return 'not_in_only';
      if (ignore.length > 0 && mayBeNamed(provider, ignore)) return 'ignored';
      if (requiredParameters === null) return null;
      const supported = parametersOf(model);
      return requiredParameters.every((each) => supported?.has(each) === true) ? null : 'lacks_parameter';
    },
    note,
  );
}
