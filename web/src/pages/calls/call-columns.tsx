import type { MouseEvent, ReactElement } from 'react';
import type { Call } from '../../api/types.ts';
import { type Column, Duration, Icon, Link, Money, StatusBadge } from '../../components/index.ts';
import { formatClock, formatCount, formatDate, formatTime } from '../../format/figures.ts';

/** `open` shows a call beside the list; with a modifier key the link goes to its page. Not all columns have room everywhere. */
export function callColumns(open: (call: Call) => void, isWide: boolean): readonly Column<Call>[] {
  const columns: readonly Column<Call>[] = [
    { id: 'at', header: 'Time', cell: (call) => <TimeLink call={call} open={open} />, className: 'sm:align-top' },
    {
      id: 'model',
      header: 'Model',
      isTitle: true,
      cell: (call) => <Model call={call} />,
      className: 'sm:align-top sm:w-full',
    },
    { id: 'status', header: 'Status', cell: (call) => <Outcome call={call} />, className: 'sm:align-top' },
    {
      id: 'key',
      header: 'Key',
      wideOnly: true,
      cell: (call) => <Whose call={call} />,
      className: 'sm:align-top',
    },
    {
      id: 'tokens',
      header: 'Tokens',
      align: 'right',
      cell: (call) => <InOut call={call} />,
      className: 'sm:align-top',
    },
    {
      id: 'charge',
      header: 'Charge',
      align: 'right',
      cell: (call) => <Money usd={call.charge} />,
      className: 'sm:align-top',
    },
    {
      id: 'first',
      header: 'First byte',
      align: 'right',
      wideOnly: true,
      cell: (call) => <Duration ms={call.first_byte_ms} />,
      className: 'sm:align-top',
    },
    {
      id: 'duration',
      header: 'Duration',
      align: 'right',
      cell: (call) => <Duration ms={call.duration_ms} />,
      className: 'sm:align-top',
    },
  ];
  return isWide ? columns : columns.filter(({ wideOnly }) => !wideOnly);
}

function TimeLink({ call, open }: { readonly call: Call; readonly open: (call: Call) => void }): ReactElement {
  const onClick = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(call);
  };
  return (
    <Link href={`/calls/${call.id}`} onClick={onClick} data-call={call.id} className="inline-block">
      <time dateTime={call.at} title={`${formatTime(call.at)} (${call.at})`} className="whitespace-nowrap">
        {shortTime(call.at)}
      </time>
    </Link>
  );
}

/** Of today the clock alone. */
function shortTime(at: string): string {
  const day = formatDate(at);
  return day === formatDate(Date.now()) ? formatClock(at) : `${day.slice(0, -5)}, ${formatClock(at)}`;
}

function Model({ call }: { readonly call: Call }): ReactElement {
  return (
    <div className="min-w-0 sm:min-w-40 xl:min-w-44">
      <div className="line-clamp-2 [overflow-wrap:anywhere]" title={call.model}>
        {call.model}
      </div>
      <div className="text-xs text-muted">{call.provider}</div>
    </div>
  );
}

function Outcome({ call }: { readonly call: Call }): ReactElement {
  return (
    <span className="inline-flex flex-wrap items-center gap-1 max-sm:justify-end">
      <StatusBadge status={call.status} />
      {call.ending !== 'complete' && <StatusBadge status={call.ending} />}
      {call.has_warnings && (
        <span className="text-warn-text" title="With warnings">
          <Icon name="warning" className="size-3.5" />
          <span className="sr-only">with warnings</span>
        </span>
      )}
    </span>
  );
}

function Whose({ call }: { readonly call: Call }): ReactElement {
  return (
    <div className="max-w-36 min-w-0">
      <div className="truncate" title={call.key.name}>
        {call.key.name}
      </div>
      <div className="truncate text-xs text-muted" title={call.project.name}>
        {call.project.name}
      </div>
    </div>
  );
}

function InOut({ call }: { readonly call: Call }): ReactElement {
  const [prompt, completion] = [formatCount(call.prompt_tokens), formatCount(call.completion_tokens)];
  return (
    <span className="figures whitespace-nowrap">
      <span aria-hidden="true">
        {prompt} <span className="text-faint">→</span> {completion}
      </span>
      <span className="sr-only">
        {prompt} in, {completion} out
      </span>
    </span>
  );
}
