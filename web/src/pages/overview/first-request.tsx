import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { CodeBlock, Duration, Link, Money, Note } from '../../components/index.ts';
import { useConnection } from '../connect/connection.ts';
import { curlCommand } from '../connect/sdks.ts';
import { KEY_PLACEHOLDER, MODEL_FALLBACK } from '../connect/tool.ts';

export interface FirstRequestProps {
  readonly call: Answer<'readChecklist'>['data']['first_call'];
  /** To try; null where the server proposes none. */
  readonly model: string | null;
}

/** A command to paste, then what came of it. */
export function FirstRequest({ call, model }: FirstRequestProps): ReactElement | string {
  const connection = useConnection(model ?? MODEL_FALLBACK);
  if (call === null && model === null) return 'Once there is a model, a command to paste stands here.';
  return (
    <>
      {call === null && (
        <div className="mt-2 flex flex-col gap-3">
          <CodeBlock title="Shell" code={curlCommand(connection)} copyLabel="Copy the command" />
          {connection.key === KEY_PLACEHOLDER && (
            <p className="text-sm">
              {KEY_PLACEHOLDER} stands for your key.{' '}
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
            answered.{' '}
            {call.first_byte_ms !== null && (
              <>
                First token after <Duration ms={call.first_byte_ms} />,{' '}
              </>
            )}
            <Duration ms={call.duration_ms} /> in all. It cost {call.cost === 0 ? 'nothing' : <Money usd={call.cost} />}
            .
          </Note>
        )}
      </div>
    </>
  );
}
