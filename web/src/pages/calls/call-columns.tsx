import type { MouseEvent, ReactElement } from 'react';
import type { Call } from '../../api/types.ts';
import {
  Badge,
  type Column,
  Duration,
  Icon,
  Link,
  LongName,
  StatusBadge,
  statusWords,
} from '../../components/index.ts';
import { formatClock, formatCount, formatDate, formatTime } from '../../format/figures.ts';
import { CALLS_WIDTHS, type CallsWidth } from './use-calls-width.ts';

/**
 * A request is one line, two on a phone; text that does not fit is cut off, with the full text in its title. `open` shows a
 * request next to the list; with a modifier key the link opens its page.
 */
export function callColumns(open: (call: Call) => void, width: CallsWidth): readonly Column<Call>[] {
  const columns: readonly (Column<Call> & { readonly from?: (typeof CALLS_WIDTHS)[number] })[] = [
    { id: 'at', header: 'Time', place: 'first', cell: (call) => <TimeLink call={call} open={open} /> },
    {
      id: 'model',
      header: 'Model',
      isTitle: true,
      place: 'title',
      cell: (call) => <Model call={call} hasProvider={width === 'wide' || width === 'middle'} />,
      // Takes the remaining width, and is cut off rather than widened.
      className: 'sm:w-full sm:max-w-0 sm:min-w-20 lg:min-w-40 xl:min-w-52',
    },
    { id: 'status', header: 'Status', place: 'second', cell: (call) => <Outcome call={call} /> },
    { id: 'key', header: 'API key', from: 'middle', cell: (call) => <Whose call={call} /> },
    {
      id: 'tokens',
      header: 'Tokens',
      align: 'right',
      place: 'third',
      from: 'middle',
      cell: (call) => <InOut call={call} />,
    },
    { id: 'charge', header: 'Charge', align: 'right', place: 'figure', amount: (call) => call.charge },
    {
      id: 'first',
      header: 'First token',
      align: 'right',
      from: 'wide',
      cell: (call) => <Duration ms={call.first_byte_ms} />,
    },
    {
      id: 'duration',
      header: 'Latency',
      align: 'right',
      place: 'last',
      from: 'narrow',
      cell: (call) => <Duration ms={call.duration_ms} />,
    },
  ];
  return width === 'phone'
    ? columns
    : columns.filter(({ from = 'tight' }) => CALLS_WIDTHS.indexOf(from) <= CALLS_WIDTHS.indexOf(width));
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
        <ShortTime at={call.at} />
      </time>
    </Link>
  );
}

/** For today only the time; for other days with seconds where there is room. */
function ShortTime({ at }: { readonly at: string }): ReactElement {
  const day = formatDate(at);
  const clock = formatClock(at);
  if (day === formatDate(Date.now())) return <>{clock}</>;
  return (
    <>
      {day.slice(0, -5)}, {clock.slice(0, -3)}
      <span className="max-xl:hidden">{clock.slice(-3)}</span>
    </>
  );
}

/** Names the provider unless the model id begins with it. */
function Model({ call, hasProvider }: { readonly call: Call; readonly hasProvider: boolean }): ReactElement {
  const isNamed = call.model.startsWith(`${call.provider}/`);
  return (
    <div className="flex min-w-0">
      <LongName name={call.model} title={`${call.model}, served by ${call.provider}`} />
      {hasProvider && !isNamed && <span className="truncate text-muted">&nbsp;· {call.provider}</span>}
    </div>
  );
}

/** How it ended, unless it is complete; otherwise the status. The title always has both. */
function Outcome({ call }: { readonly call: Call }): ReactElement {
  return (
    <span
      className="inline-flex items-center gap-1"
      title={`${call.status === null ? 'No details are left' : `Status ${call.status}`}, ${statusWords(call.ending)}`}
    >
      <span className={call.ending === 'complete' ? '' : 'sm:max-lg:hidden'}>
        <StatusBadge status={call.status} />
      </span>
      {call.ending !== 'complete' && <StatusBadge status={call.ending} />}
      {call.cached && (
        <Badge>
          <span title="Answered from the response cache">cached</span>
        </Badge>
      )}
      {call.has_warnings && (
        <span className="text-warn-text" title="Has warnings">
          <Icon name="warning" className="size-3.5" />
          <span className="sr-only">has warnings</span>
        </span>
      )}
    </span>
  );
}

function Whose({ call }: { readonly call: Call }): ReactElement {
  return (
    <div className="max-w-32 truncate" title={`${call.key.name}, in project ${call.project.name}`}>
      {call.key.name}
    </div>
  );
}

function InOut({ call }: { readonly call: Call }): ReactElement {
  const [prompt, completion] = [formatCount(call.prompt_tokens), formatCount(call.completion_tokens)];
  const isNone = call.prompt_tokens + call.completion_tokens === 0;
  return (
    <span
      className={isNone ? 'figures max-sm:hidden' : 'figures'}
      title={`${prompt} input tokens, ${completion} output tokens`}
    >
      <span aria-hidden="true">
        {prompt} <span className="text-faint">→</span> {completion}
      </span>
      <span className="sr-only">
        {prompt} input, {completion} output
      </span>
    </span>
  );
}
