/** What does not answer now: providers for who runs the installation, models for who calls them. */
import type { ReactElement } from 'react';
import { useSession } from '../../api/session.ts';
import type { Provider } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { Link, Note } from '../../components/index.ts';
import { isTroubled, recentWords } from '../providers/health.ts';
import { placeOf } from '../providers/sources.ts';

const AGAIN_MS = 30_000;

/** For operators. */
export function ProvidersBanner(): ReactElement | null {
  const troubled = useTroubled();
  if (troubled.length === 0) return null;
  const isOnlyLimited = troubled.every(({ health }) => health?.state === 'limited');
  return (
    <div role="alert">
      <Note tone={isOnlyLimited ? 'warn' : 'bad'}>
        <ul className="flex flex-col gap-1">
          {troubled.map((provider) => (
            <li key={provider.name}>
              <Link
                href={`/providers?provider=${encodeURIComponent(placeOf(provider))}`}
                plain
                className="font-semibold underline underline-offset-2"
              >
                {provider.name}
              </Link>{' '}
              is {provider.health?.state}. {provider.health !== null && recentWords(provider.health)}{' '}
              {provider.health?.last_failure?.reason}
            </li>
          ))}
        </ul>
      </Note>
    </div>
  );
}

/** For members of the account: of models that it used of late. Who and why is the operators' matter, whose own banner comes first. */
export function ModelsBanner(): ReactElement | null {
  const { user } = useSession();
  const failing = useApi('listFailingModels', {}, { refetchInterval: AGAIN_MS });
  const troubled = useTroubled();
  const models = failing.data?.data ?? [];
  if (models.length === 0 || troubled.length > 0) return null;
  return (
    <div role="alert">
      <Note tone="bad">
        Calls fail now: {models.map(({ model }) => model).join(', ')}.{' '}
        {user.is_operator ? (
          <Link href="/providers">Providers say why.</Link>
        ) : (
          'The operator of this installation sees why.'
        )}
      </Note>
    </div>
  );
}

/** Empty for who is no operator. */
function useTroubled(): readonly Provider[] {
  const { user } = useSession();
  const providers = useApi('listProviders', {}, { enabled: user.is_operator, refetchInterval: AGAIN_MS });
  return (providers.data?.data ?? []).filter(isTroubled);
}
