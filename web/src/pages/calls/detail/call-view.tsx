import type { ReactElement, ReactNode } from 'react';
import { ApiError } from '../../../api/client.ts';
import { useApi } from '../../../api/use-api.ts';
import { Card, ErrorState, Note, SkeletonLines } from '../../../components/index.ts';
import { CallBodies } from './call-bodies.tsx';
import { CallCost } from './call-cost.tsx';
import { CallFacts } from './call-facts.tsx';
import { CallHead } from './call-head.tsx';
import { CallTimeline } from './call-timeline.tsx';
import { NoCall } from './no-call.tsx';

interface CallViewProps {
  /** `gen-…` or `req_…`. */
  readonly id: string;
  /** In the drawer next to the list: one column, without cards. */
  readonly isNarrow?: boolean;
}

/** All details of one request. */
export function CallView({ id, isNarrow = false }: CallViewProps): ReactElement {
  const { data, error, refetch } = useApi('readCall', { params: { call: id } });
  if (data === undefined) {
    if (error === null) return <SkeletonLines lines={8} />;
    return isUnknown(error) ? <NoCall id={id} /> : <ErrorState error={error} retry={() => void refetch()} />;
  }
  const call = data.data;
  const part = (title: string, content: ReactNode): ReactElement => (
    <Part title={title} isNarrow={isNarrow}>
      {content}
    </Part>
  );
  return (
    <div className={isNarrow ? 'flex flex-col gap-7' : 'flex flex-col gap-6'}>
      <CallHead call={call} />
      {call.warnings.length > 0 && (
        <Note tone="warn">
          <p className="font-medium">{call.warnings.length === 1 ? 'Warning' : 'Warnings'}</p>
          <ul className={call.warnings.length === 1 ? '' : 'list-disc pl-5'}>
            {call.warnings.map((warning) => (
              <li key={warning} className="wrap-anywhere">
                {warning}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {part('Timing', <CallTimeline call={call} />)}
      <div className={isNarrow ? 'flex flex-col gap-7' : 'grid items-start gap-6 lg:grid-cols-2'}>
        {part('Tokens and cost', <CallCost call={call} />)}
        {part('Details', <CallFacts call={call} />)}
      </div>
      {part('Prompt and response', <CallBodies call={call} />)}
    </div>
  );
}

/** Of the drawer. */
export function CallTitle({ id }: { readonly id: string | null }): ReactElement {
  const { data } = useApi('readCall', { params: { call: id ?? '' } }, { enabled: id !== null });
  return <>{data?.data.model ?? 'Request'}</>;
}

function Part({
  title,
  isNarrow,
  children,
}: {
  readonly title: string;
  readonly isNarrow: boolean;
  readonly children: ReactNode;
}): ReactElement {
  if (!isNarrow) return <Card title={title}>{children}</Card>;
  return (
    <section className="min-w-0">
      <h3 className="mb-2.5 font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** Not found, or no id at all. */
function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
