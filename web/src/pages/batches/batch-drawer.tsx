import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import type { AccountBatch } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import {
  Button,
  CopyButton,
  Drawer,
  ErrorNote,
  Facts,
  Link,
  SkeletonLines,
  Time,
  useKept,
} from '../../components/index.ts';
import { formatCount } from '../../format/figures.ts';
import { exactUsd, formatUsd } from '../../format/money.ts';
import { BatchState, Lines } from './batch-columns.tsx';

type WholeBatch = Answer<'readAccountBatch'>['data'];

const AGAIN_MS = 5_000;

export interface BatchDrawerProps {
  /** Null if none is open. */
  readonly id: string | null;
  readonly onClose: () => void;
  readonly cancel: (batch: AccountBatch) => void;
}

export function BatchDrawer({ id: chosen, onClose, cancel }: BatchDrawerProps): ReactElement {
  const id = useKept(chosen ?? undefined);
  const read = useApi(
    'readAccountBatch',
    { params: { batch: id ?? '' } },
    { enabled: chosen !== null, refetchInterval: AGAIN_MS },
  );
  const batch = read.data?.data;
  return (
    <Drawer open={chosen !== null} onClose={onClose} title="Batch" description={id}>
      {batch !== undefined ? (
        <Detail batch={batch} cancel={cancel} />
      ) : read.error !== null ? (
        <ErrorNote error={read.error} />
      ) : (
        <SkeletonLines />
      )}
    </Drawer>
  );
}

function Detail({
  batch,
  cancel,
}: {
  readonly batch: WholeBatch;
  readonly cancel: (batch: AccountBatch) => void;
}): ReactElement {
  const { charge, tokens, metadata } = batch;
  return (
    <div className="flex flex-col gap-6">
      <Facts
        facts={[
          ['State', <BatchState key="state" batch={batch} />],
          ['Lines', <Lines key="lines" batch={batch} />],
          [
            'API key',
            <Link key="key" href={`/keys/${batch.key.id}`}>
              {batch.key.name}
            </Link>,
          ],
          ['Project', batch.project.name],
          ['Endpoint', <Mono key="endpoint">{batch.endpoint}</Mono>],
          ['Model', batch.model ?? undefined],
          [
            'Charge',
            charge === null ? undefined : (
              <span key="charge" className="figures" title={exactUsd(charge as number)}>
                {formatUsd(charge as number)}
              </span>
            ),
          ],
          ['Tokens', tokens === null ? undefined : tokensText(tokens)],
          ['Created', <Time key="created" at={batch.created_at} as="whole" />],
          ['Expires', batch.ended_at === null ? <Time key="expires" at={batch.expires_at} as="whole" /> : undefined],
          ['Ended', batch.ended_at === null ? undefined : <Time key="ended" at={batch.ended_at} as="whole" />],
          ['Input file', <Copied key="input" text={batch.input_file_id} />],
          ['Answers', batch.output_file_id === null ? undefined : <Copied key="output" text={batch.output_file_id} />],
          ['Failures', batch.error_file_id === null ? undefined : <Copied key="errors" text={batch.error_file_id} />],
          ...Object.entries(metadata ?? {}).map(([name, value]): [string, string] => [name, value]),
        ]}
      />
      {batch.errors.length > 0 && <InputErrors errors={batch.errors} />}
      {batch.can_cancel && (
        <div>
          <Button kind="danger" icon="close" onClick={() => cancel(batch)}>
            Cancel batch
          </Button>
        </div>
      )}
    </div>
  );
}

function InputErrors({ errors }: { readonly errors: WholeBatch['errors'] }): ReactElement {
  return (
    <section aria-label="Errors of the input">
      <h3 className="mb-2 font-medium">Errors of the input</h3>
      <ul className="divide-y rounded border">
        {errors.map(({ code, message, line }) => (
          <li key={`${line} ${code} ${message}`} className="px-3 py-2 text-sm">
            <span className="text-muted">{line === null ? 'File' : `Line ${line}`}: </span>
            <span className="wrap-anywhere">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function tokensText({ input, cached, output, reasoning }: NonNullable<WholeBatch['tokens']>): string {
  const parts = [
    `${formatCount(input)} in${cached === 0 ? '' : ` (${formatCount(cached)} cached)`}`,
    `${formatCount(output)} out${reasoning === 0 ? '' : ` (${formatCount(reasoning)} reasoning)`}`,
  ];
  return parts.join(', ');
}

function Mono({ children }: { readonly children: string }): ReactElement {
  return <code className="font-mono text-sm break-all">{children}</code>;
}

function Copied({ text }: { readonly text: string }): ReactElement {
  return (
    <span className="inline-flex items-center gap-1">
      <Mono>{text}</Mono>
      <CopyButton text={text} label={`Copy ${text}`} size="small" />
    </span>
  );
}
