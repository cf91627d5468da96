import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import type { Provider } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, Duration, ErrorNote, Facts, Note, StatusBadge, Table, Time } from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { isFailing, isTroubled, recentWords, replacedWords } from './health.ts';
import { troubleBelow } from './provider-columns.tsx';

type ModelHealth = Answer<'readProviderHealth'>['data']['models'][number];

/** Why requests to a provider fail; nothing when they succeed. */
export function TroubleNote({ provider }: { readonly provider: Provider }): ReactElement | null {
  const { health } = provider;
  if (health === null || !isTroubled(provider)) return null;
  const replaced = replacedWords(provider);
  if (replaced !== null) return <Note tone="warn">{replaced}</Note>;
  return (
    <Note tone={health.state === 'limited' ? 'warn' : 'bad'}>
      {recentWords(health)} {health.last_failure?.reason} This clears when requests succeed again.
    </Note>
  );
}

/** Health of a provider and its models since the server started. */
export function ProviderHealth({ provider }: { readonly provider: Provider }): ReactElement {
  const { health } = provider;
  const read = useApi('readProviderHealth', { params: { provider: provider.name } }, { refetchInterval: 15_000 });
  const models = read.data?.data.models ?? [];
  const node = read.data?.node ?? null;
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">Health since the server started</h3>
      {node !== null && <p className="text-sm text-muted">Calls of the node {node}; other nodes have their own.</p>}
      {health !== null && (
        <Facts
          facts={[
            ['Recent', recentWords(health)],
            ['Time to first token', <FirstTokens key="first-token" health={health} />],
            [
              'Tokens per second',
              health.tokens_per_second === null ? (
                <span key="speed" className="text-muted">
                  –
                </span>
              ) : (
                <span key="speed">{formatCount(Math.round(health.tokens_per_second))} (median)</span>
              ),
            ],
            ['Last success', <Time key="good" at={health.last_good_at} none="none yet" />],
            [
              'Last failure',
              health.last_failure === null ? (
                <span key="failure" className="text-muted">
                  none
                </span>
              ) : (
                <span key="failure">
                  <Time at={health.last_failure.at} /> · {health.last_failure.reason}
                </span>
              ),
            ],
          ]}
        />
      )}
      <ErrorNote error={read.error} />
      {models.length > 0 && (
        <Table
          label="Models used"
          columns={columns}
          rows={models}
          rowKey={({ model }) => model}
          isBad={(health) => isFailing({ health })}
          noteOf={(health) => troubleBelow({ health })}
        />
      )}
    </section>
  );
}

const columns: readonly Column<ModelHealth>[] = [
  {
    id: 'model',
    header: 'Model',
    cell: (health) => (
      <div className="min-w-0">
        <span className="break-all">{health.model}</span>
      </div>
    ),
  },
  {
    id: 'state',
    header: 'Health',
    cell: ({ state, rests_until }) => (
      <span className="flex flex-wrap items-center gap-2">
        <StatusBadge status={state} />
        {rests_until !== null && (
          <span className="text-muted">
            next try <Time at={rests_until} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'first-token',
    header: 'First token (p50)',
    align: 'right',
    cell: (health) => <Duration ms={health.first_token_p50_ms ?? health.first_byte_p50_ms} />,
  },
  {
    id: 'first-token-p95',
    header: 'p95',
    align: 'right',
    cell: (health) => <Duration ms={health.first_token_p95_ms ?? health.first_byte_p95_ms} />,
  },
  {
    id: 'speed',
    header: 'Tokens/s',
    align: 'right',
    cell: ({ tokens_per_second: speed }) => (speed === null ? '–' : formatCount(Math.round(speed))),
  },
];

/** Of streams; without any, to the first byte of whole answers. */
function FirstTokens({ health }: { readonly health: NonNullable<Provider['health']> }): ReactElement {
  const p50 = health.first_token_p50_ms ?? health.first_byte_p50_ms;
  if (p50 === null) return <span className="text-muted">–</span>;
  return (
    <span>
      <Duration ms={p50} /> (p50), <Duration ms={health.first_token_p95_ms ?? health.first_byte_p95_ms} /> (p95)
    </span>
  );
}
