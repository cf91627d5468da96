import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNote, Facts } from '../../components/index.ts';
import { formatDate } from '../../format/figures.ts';

type Prices = Answer<'listModelPrices'>['data'][number]['prices'];

const ORIGINS: Readonly<Record<Answer<'listModelPrices'>['data'][number]['origin'], string>> = {
  configured: 'set in the configuration or with the provider',
  pinned: 'pinned',
  unpinned: 'pinned earlier, until the next import',
  imported: 'imported',
  'built-in': 'built in',
  unknown: 'unknown',
};

/** Where the prices of a model are from at each provider, and what they were before: for operators. */
export function PriceHistory({ model }: { readonly model: string }): ReactElement | null {
  const { data: answer, error } = useApi('listModelPrices', { query: { model } });
  if (error !== null) return <ErrorNote error={error} />;
  if (answer === undefined) return null;
  return (
    <section>
      <h3 className="mb-2.5 font-semibold">List prices, input / output</h3>
      <Facts
        facts={answer.data.map(({ provider, prices, origin, source }) => [
          provider,
          `${inAndOut(prices)}, ${ORIGINS[origin]}${origin === 'imported' && source !== null ? ` (${source})` : ''}`,
        ])}
      />
      {answer.versions.length > 1 && (
        <details className="mt-3">
          <summary className="text-sm text-muted">{answer.versions.length} price versions</summary>
          <ul className="figures mt-2 flex flex-col gap-1 text-sm">
            {answer.versions.map(({ id, provider, prices, created_at }) => (
              <li key={id} className="flex justify-between gap-4">
                <span>
                  {provider}, since {created_at === null ? 'unknown' : formatDate(Date.parse(created_at))}
                </span>
                <span className="text-right">{inAndOut(prices)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function inAndOut(prices: Prices): string {
  if (prices === null) return 'no price';
  return `$${String(prices['input'])} / $${String(prices['output'])}`;
}
