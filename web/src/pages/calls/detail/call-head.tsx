import type { ReactElement } from 'react';
import { Badge, StatusBadge, Time } from '../../../components/index.ts';
import { ENDING_WORDS } from '../call-words.ts';
import type { WholeCall } from './whole-call.ts';

/** How it ended, in badges and in a sentence. */
export function CallHead({ call }: { readonly call: WholeCall }): ReactElement {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <StatusBadge status={call.status} />
        <StatusBadge status={call.ending} />
        {call.streamed && <Badge>streamed</Badge>}
        {call.error !== null && <span className="font-mono text-xs break-all text-bad-text">{call.error}</span>}
        <span className="text-sm text-muted">
          <Time at={call.at} as="whole" /> · <Time at={call.at} />
        </span>
      </div>
      {call.ending !== 'complete' && <p className="text-sm text-muted">{ENDING_WORDS[call.ending]}</p>}
    </div>
  );
}
