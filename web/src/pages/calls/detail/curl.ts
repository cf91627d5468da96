/** A call as a command to make again. The key is read from the environment: none is ever in it. */
import type { Answer } from '../../../api/client.ts';
import type { WholeCall } from './whole-call.ts';

type Bodies = Pick<Answer<'readBodies'>['data'], 'request' | 'request_truncated'>;

/** Null where the whole request is not there. */
export function curlOf(
  baseUrl: string,
  call: Pick<WholeCall, 'dialect'>,
  { request, request_truncated }: Bodies,
): string | null {
  if (request === null || request_truncated) return null;
  const origin = baseUrl.replace(/(?<!\/)\/+$/, '');
  const isMessages = call.dialect === 'anthropic-messages';
  return [
    `curl ${quoted(`${origin}${isMessages ? '/v1/messages' : '/api/v1/chat/completions'}`)}`,
    isMessages ? '-H "x-api-key: $TURNPIKE_KEY"' : '-H "Authorization: Bearer $TURNPIKE_KEY"',
    ...(isMessages ? ["-H 'anthropic-version: 2023-06-01'"] : []),
    "-H 'content-type: application/json'",
    `--data-raw ${quoted(request)}`,
  ].join(' \\\n  ');
}

/** In single quotes, for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
