import type { ReactElement } from 'react';
import { useApi } from '../../../api/use-api.ts';
import { EmptyState, LinkButton, SkeletonLines } from '../../../components/index.ts';

/** In place of a request without a record: the refusal that has its ID, or where else to look. `id` is `gen-…` or `req_…`. */
export function NoCall({ id }: { readonly id: string }): ReactElement {
  const { data, error } = useApi('listRefusals', { query: {} });
  if (data === undefined && error === null) return <SkeletonLines lines={3} />;
  const request = id.replace(/^gen-/, 'req_');
  const refusal = data?.data.find((each) => each.request_id === request);
  if (refusal !== undefined)
    return (
      <EmptyState
        icon="search"
        title="Request refused"
        action={<LinkButton href={`/calls?status=refused&request=${refusal.request_id}`}>Show the refusal</LinkButton>}
      >
        It was refused before it reached a provider, with status {refusal.status} and the error code{' '}
        <code className="font-mono text-sm">{refusal.code}</code>. It cost nothing.
      </EmptyState>
    );
  return (
    <EmptyState
      icon="search"
      title="Request not found"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <LinkButton href="/calls">All requests</LinkButton>
          <LinkButton href="/calls?status=refused">Refused requests</LinkButton>
        </div>
      }
    >
      Requests appear here once they have finished; refused ones are listed under Refused. It may also belong to another
      account.
    </EmptyState>
  );
}
