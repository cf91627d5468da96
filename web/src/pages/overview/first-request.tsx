import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { CodeBlock, Duration, Link, Money, Note } from '../../components/index.ts';
import { useConnection } from '../connect/connection.ts';
import { curlCommand } from '../connect/sdks.ts';
import { KEY_PLACEHOLDER, MODEL_FALLBACK } from '../connect/tool.ts';

export interface FirstRequestProps {
  readonly call: Answer<'readChecklist'>['data']['first_call'];
  /** A model to try; null when the server suggests none. */
  readonly model: string | null;
}

/** A command to copy, then its result. */
export function FirstRequest({ call, model }: FirstRequestProps): ReactElement | string {
  const connection = useConnection(model ?? MODEL_FALLBACK);
  if (call === null && model === null) return 'Add a provider first: a command to copy appears here.';
  return (
    <>
      {call === null && (
        <div className="mt-2 flex flex-col gap-3">
          <CodeBlock title="Shell" code={curlCommand(connection)} copyLabel="Copy command" />
          {connection.key === KEY_PLACEHOLDER && (
            <p className="text-sm">
              Replace {KEY_PLACEHOLDER} with your key.{' '}
              <Link href="/connect" className="underline">
                Other tools
              </Link>
            </p>
          )}
        </div>
      )}
      <div role="status" className={call === null ? 'mt-3' : 'mt-1.5'}>
        {call === null ? (
          'Waiting for your first request…'
        ) : (
          <Note tone="good">
            <Link href={`/calls/${call.call}`} plain className="break-all underline">
              {call.model}
            </Link>{' '}
            responded.{' '}
            {call.first_byte_ms !== null && (
              <>
                Time to first token: <Duration ms={call.first_byte_ms} />,{' '}
              </>
            )}
            {call.duration_ms !== null && (
              <>
                {call.first_byte_ms === null ? 'Total' : 'total'} <Duration ms={call.duration_ms} />.{' '}
              </>
            )}
            Cost: {call.cost === 0 ? '$0.00' : <Money usd={call.cost} />}.
          </Note>
        )}
      </div>
    </>
  );
}
