/** A call as a command to make again. The key is read from the environment: none is ever in it. */
import type { Answer } from '../../../api/client.ts';
import { callerDialects } from '../../../api/dialects.ts';
import type { WholeCall } from './whole-call.ts';

type Bodies = Pick<Answer<'readBodies'>['data'], 'request' | 'request_truncated'>;

/** Null where the whole request is not there. */
export function curlOf(
  baseUrl: string,
  call: Pick<WholeCall, 'dialect' | 'model' | 'streamed'>,
  { request, request_truncated }: Bodies,
): string | null {
  if (request === null || request_truncated) return null;
  const origin = baseUrl.replace(/(?<!\/)\/+$/, '');
  const dialect = callerDialects.find(({ name }) => name === call.dialect) ?? callerDialects[0];
  const path = (call.streamed ? dialect.streamPath : dialect.path).replace('{model}', encodeURI(call.model ?? ''));
  return [
    `curl ${quoted(`${origin}${path}`)}`,
    ...dialect.headers.map(([name, value]) => headerOf(name, value)),
    "-H 'content-type: application/json'",
    `--data-raw ${quoted(request)}`,
  ].join(' \\\n  ');
}

/** In double quotes where the shell is to put the key in. */
function headerOf(name: string, value: string): string {
  return value.includes(KEY) ? `-H "${name}: ${value.replace(KEY, '$TURNPIKE_KEY')}"` : `-H '${name}: ${value}'`;
}

const KEY = '{key}';

/** In single quotes, for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
