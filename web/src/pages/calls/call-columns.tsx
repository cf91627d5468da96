import type { MouseEvent, ReactElement } from 'react';
import type { Call } from '../../api/types.ts';
import { type Column, Duration, Icon, Link, LongName, StatusBadge } from '../../components/index.ts';
import { formatClock, formatCount, formatDate, formatTime } from '../../format/figures.ts';
import { CALLS_WIDTHS, type CallsWidth } from './use-calls-width.ts';

/**
 * A call is one line, and two on a phone; what does not fit is cut off, and whole in its title. `open` shows a call beside the
 * list; with a modifier key the link goes to its page.
 */
export function callColumns(open: (call: Call) => void, width: CallsWidth): readonly Column<Call>[] {
  const columns: readonly (Column<Call> & { readonly from?: (typeof CALLS_WIDTHS)[number] })[] = [
    { id: 'at', header: 'Time', place: 'first', cell: (call) => <TimeLink call={call} open={open} /> },
    {
      id: 'model',
      header: 'Model',
      isTitle: true,
      place: 'title',
      cell: (call) => <Model call={call} hasProvider={width === 'wide'} />,
      // Takes what the others leave, and is cut off rather than wider.
      className: 'sm:w-full sm:max-w-0 sm:min-w-20 lg:min-w-40 xl:min-w-52',
    },
    { id: 'status', header: 'Status', place: 'second', cell: (call) => <Outcome call={call} /> },
    { id: 'key', header: 'Key', from: 'middle', cell: (call) => <Whose call={call} /> },
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
      header: 'First byte',
      align: 'right',
      from: 'wide',
      cell: (call) => <Duration ms={call.first_byte_ms} />,
    },
    {
      id: 'duration',
      header: 'Duration',
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

/** Of today the clock alone; of another day the seconds too where there is room. */
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

/** The provider only where the model's id does not begin with it. */
function Model({ call, hasProvider }: { readonly call: Call; readonly hasProvider: boolean }): ReactElement {
  const isNamed = call.model.startsWith(`${call.provider}/`);
  return (
    <div className="flex min-w-0">
      <LongName name={call.model} title={`${call.model}, served by ${call.provider}`} />
      {hasProvider && !isNamed && <span className="truncate text-muted">&nbsp;· {call.provider}</span>}
    </div>
  );
}

/** How it ended, where that is not the end of an answer; the status is the badge else, and in the title always. */
function Outcome({ call }: { readonly call: Call }): ReactElement {
  return (
    <span
      className="inline-flex items-center gap-1"
      title={`Status ${call.status}, ${call.ending.replaceAll('_', ' ')}`}
    >
      <span className={call.ending === 'complete' ? '' : 'sm:max-lg:hidden'}>
        <StatusBadge status={call.status} />
      </span>
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
    <div className="max-w-32 truncate" title={`${call.key.name}, of the project ${call.project.name}`}>
      {call.key.name}
    </div>
  );
}

function InOut({ call }: { readonly call: Call }): ReactElement {
  const [prompt, completion] = [formatCount(call.prompt_tokens), formatCount(call.completion_tokens)];
  const isNone = call.prompt_tokens + call.completion_tokens === 0;
  return (
    <span className={isNone ? 'figures max-sm:hidden' : 'figures'} title={`${prompt} tokens in, ${completion} out`}>
      <span aria-hidden="true">
        {prompt} <span className="text-faint">→</span> {completion}
      </span>
      <span className="sr-only">
        {prompt} in, {completion} out
      </span>
    </span>
  );
}
