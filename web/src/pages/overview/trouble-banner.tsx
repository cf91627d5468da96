/** What is failing now: providers and the gateway itself for operators, models for members. */
import type { ReactElement } from 'react';
import { useSession } from '../../api/session.ts';
import type { Provider } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { Link, Note, statusWords } from '../../components/index.ts';
import { refusingWords } from '../load/shortage-words.ts';
import { isTroubled, recentWords, replacedWords } from '../providers/health.ts';
import { placeOf } from '../providers/sources.ts';

const AGAIN_MS = 30_000;

/** For operators. */
export function ProvidersBanner(): ReactElement | null {
  const troubled = useTroubled();
  if (troubled.length === 0) return null;
  const isOnlyLimited = troubled.every(
    (provider) => provider.health?.state === 'limited' || replacedWords(provider) !== null,
  );
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
              <TroubleWords provider={provider} />
            </li>
          ))}
        </ul>
      </Note>
    </div>
  );
}

function TroubleWords({ provider }: { readonly provider: Provider }): ReactElement {
  const { health } = provider;
  const replaced = replacedWords(provider);
  if (replaced !== null) return <>has {replaced}</>;
  return (
    <>
      is {statusWords(health?.state ?? 'unknown')}. {health !== null && recentWords(health)}{' '}
      {health?.last_failure?.reason}
    </>
  );
}

/** For operators: what the gateway itself is short of, while it refuses requests for it. */
export function LoadBanner(): ReactElement | null {
  const { user } = useSession();
  const read = useApi('readLoad', {}, { enabled: user.is_operator, refetchInterval: AGAIN_MS });
  const load = read.data?.data;
  if (load === undefined || load.shortage === null) return null;
  return (
    <div role="alert">
      <Note tone={load.admitted_ratio === 0 ? 'bad' : 'warn'}>
        {refusingWords(load, load.shortage)} <Link href="/load">See the load.</Link>
      </Note>
    </div>
  );
}

/** For members: models they used recently that are failing. Operators see the provider and the reason in their own banner. */
export function ModelsBanner(): ReactElement | null {
  const { user } = useSession();
  const failing = useApi('listFailingModels', {}, { refetchInterval: AGAIN_MS });
  const troubled = useTroubled();
  const models = failing.data?.data ?? [];
  if (models.length === 0 || troubled.length > 0) return null;
  return (
    <div role="alert">
      <Note tone="bad">
        Requests are failing for {models.map(({ model }) => model).join(', ')}.{' '}
        {user.is_operator ? <Link href="/providers">See providers.</Link> : 'Contact your administrator.'}
      </Note>
    </div>
  );
}

/** Empty for people who are not operators. */
function useTroubled(): readonly Provider[] {
  const { user } = useSession();
  const providers = useApi('listProviders', {}, { enabled: user.is_operator, refetchInterval: AGAIN_MS });
  return (providers.data?.data ?? []).filter(isTroubled);
}
