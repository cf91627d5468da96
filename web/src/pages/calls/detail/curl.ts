/** A call as a command to make again. The key is read from the environment: none is ever in it. */
import type { Answer } from '../../../api/client.ts';
import { callerDialects } from '../../../api/dialects.ts';
import type { WholeCall } from './whole-call.ts';

type Bodies = Pick<Answer<'readBodies'>['data'], 'request' | 'request_truncated'>;

/** Null where the whole request is not there. */
export function curlOf(
  baseUrl: string,
  call: Pick<WholeCall, 'dialect' | 'model' | 'operation' | 'streamed'>,
  { request, request_truncated }: Bodies,
): string | null {
  if (request === null || request_truncated) return null;
  const origin = baseUrl.replace(/(?<!\/)\/+$/, '');
  const dialect = callerDialects.find(({ name }) => name === call.dialect) ?? callerDialects[0];
  const usual = call.streamed ? dialect.streamPath : dialect.path;
  const operations: Readonly<Record<string, string>> = dialect.operations;
  const path = (operations[call.operation] ?? usual).replace('{model}', encodeURI(call.model ?? ''));
  return [
    `curl ${quoted(`${origin}${path}`)}`,
    ...dialect.headers.map(([name, value]) => headerOf(name, value)),
    "-H 'content-type: application/json'",
    `--data-raw ${quoted(request)}`,
    // No terminal shows sound.
    ...(call.operation === 'speech' ? ['--output speech'] : []),
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
