import type { ReactElement, ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import {
  Card,
  type Column,
  ErrorState,
  Note,
  PageHeader,
  Progress,
  Table,
  Tile,
  TileGrid,
} from '../../components/index.ts';
import { formatBytes } from '../../format/bytes.ts';
import { formatCount, formatMs, formatShare } from '../../format/figures.ts';
import { refusingWords, shortageWords } from './shortage-words.ts';

type Load = Answer<'readLoad'>['data'];
type Shed = Load['shed'][number];

const AGAIN_MS = 5_000;

/** What the server has to do and how much it can, for operators. */
export default function LoadPage(): ReactElement {
  const read = useApi('readLoad', {}, { refetchInterval: AGAIN_MS });
  const load = read.data?.data;
  if (load === undefined && read.error !== null) {
    return (
      <>
        <Header node={null} />
        <ErrorState error={read.error} retry={() => void read.refetch()} />
      </>
    );
  }
  return (
    <>
      <Header node={read.data?.node ?? null} />
      {load !== undefined && <Refusing load={load} />}
      <LoadTiles load={load} />
      <div className="mt-4 grid gap-4 lg:grid-cols-2">
        <Card title="Limits" description="How much is used of what there is.">
          {load !== undefined && <Limits load={load} />}
        </Card>
        <Card flush title="Refused since the server started" description="With 503, before anything was held.">
          <Table label="Refused requests" columns={shedColumns} rows={load?.shed} rowKey={({ shortage }) => shortage} />
        </Card>
      </div>
    </>
  );
}

/** `node`: whose figures these are, if there are several. */
function Header({ node }: { readonly node: string | null }): ReactElement {
  const words =
    node === null
      ? 'What this server has to do, how much it can, and what it had to refuse.'
      : `What the node ${node} has to do, how much it can, and what it had to refuse. Other nodes have figures of their own.`;
  return <PageHeader title="Load" description={words} />;
}

/** Nothing while everything is let in. */
function Refusing({ load }: { readonly load: Load }): ReactElement | null {
  if (load.shortage === null) return null;
  return (
    <div role="alert" className="mb-4">
      <Note tone={load.admitted_ratio === 0 ? 'bad' : 'warn'}>
        {refusingWords(load, load.shortage)} This ends by itself when there is less to do.
      </Note>
    </div>
  );
}

function LoadTiles({ load }: { readonly load: Load | undefined }): ReactElement {
  const tile = (label: string, value: (load: Load) => ReactNode, note: (load: Load) => ReactNode): ReactElement => (
    <Tile
      label={label}
      value={load === undefined ? '–' : value(load)}
      note={load === undefined ? ' ' : note(load)}
      loading={load === undefined}
    />
  );
  return (
    <TileGrid>
      {tile(
        'Running requests',
        ({ calls }) => formatCount(calls.running),
        ({ calls }) => `${formatCount(calls.arriving)} arriving, ${formatCount(calls.waiting)} waiting`,
      )}
      {tile(
        'Let in',
        ({ admitted_ratio: ratio }) => formatShare(ratio),
        () => 'of new requests, if there is a place',
      )}
      {tile(
        'Event loop',
        ({ loop_delay: delay }) => formatMs(delay.ms),
        ({ loop_delay: delay }) => `p99 · limit ${formatMs(delay.limit_ms)}`,
      )}
      {tile(
        'Memory',
        ({ memory }) => formatBytes(memory.resident_bytes),
        ({ memory }) => `heap ${formatBytes(memory.heap_bytes)}`,
      )}
      {tile(
        'Connections',
        ({ connections }) => formatCount(connections.open),
        ({ connections }) => `${formatCount(connections.refused)} closed unread`,
      )}
      {tile(
        'Response cache',
        ({ response_cache: cache }) => formatBytes(cache.used_bytes),
        ({ response_cache: cache }) => `of ${formatBytes(cache.limit_bytes)}`,
      )}
    </TileGrid>
  );
}

function Limits({ load }: { readonly load: Load }): ReactElement {
  const { calls, memory, body_memory: bodies, connections, descriptors, response_cache: cache } = load;
  const rows: readonly (readonly [string, number, number | null, (value: number) => string])[] = [
    ['Running requests', calls.running, calls.limit, formatCount],
    ['Heap', memory.heap_bytes, memory.heap_limit_bytes, formatBytes],
    ['Resident memory', memory.resident_bytes, memory.resident_limit_bytes, formatBytes],
    ['Memory for bodies', bodies.used_bytes, bodies.limit_bytes, formatBytes],
    ['Response cache', cache.used_bytes + cache.recording_bytes, cache.limit_bytes, formatBytes],
    ['Connections of clients', connections.open, connections.limit, formatCount],
    ...(descriptors.open === null
      ? []
      : [['File descriptors', descriptors.open, descriptors.limit, formatCount] as const]),
  ];
  return (
    <dl className="flex flex-col gap-3">
      {rows.map(([name, value, limit, format]) => (
        <div key={name} className="grid grid-cols-[9rem_minmax(0,1fr)] items-end gap-x-4">
          <dt className="text-muted">{name}</dt>
          <dd>
            <Progress label={name} value={value} limit={limit} format={format} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const shedColumns: readonly Column<Shed>[] = [
  {
    id: 'shortage',
    header: 'What was short',
    cell: ({ shortage }) => {
      const { name, when, limit } = shortageWords(shortage);
      return (
        <div className="min-w-0">
          <div className="font-medium">{name}</div>
          <div className="text-sm text-muted wrap-anywhere">
            {when} <code>{limit}</code>
          </div>
        </div>
      );
    },
  },
  { id: 'requests', header: 'Requests', align: 'right', cell: ({ calls }) => formatCount(calls) },
];
