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
    ...bodyOf(call.operation, request),
    // No terminal shows sound.
    ...(call.operation === 'speech' ? ['--output speech'] : []),
  ].join(' \\\n  ');
}

/** Operations whose requests may be forms with files, which are stored as JSON. */
const FORMS: readonly string[] = ['image_edits', 'transcriptions', 'translations'];

function bodyOf(operation: string, request: string): readonly string[] {
  const values = FORMS.includes(operation) ? valuesOf(JSON.parse(request) as Form) : [];
  if (!values.some(([, value]) => isFile(value)))
    return ["-H 'content-type: application/json'", `--data-raw ${quoted(request)}`];
  return values.map(([name, value]) =>
    isFile(value)
      ? `-F ${quoted(`${name}=@${asFile(value.filename)}`)}`
      : `--form-string ${quoted(`${name}=${value}`)}`,
  );
}

type Form = Readonly<Record<string, unknown>>;

/** A list is several values of one name. */
function valuesOf(form: Form): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(form).flatMap(([name, value]) => [value].flat().map((each) => [name, each] as const));
}

function isFile(value: unknown): value is { readonly filename: string } {
  return typeof value === 'object' && value !== null && 'filename' in value && typeof value.filename === 'string';
}

/** The file has to be where the command runs: https://curl.se/docs/manpage.html#-F */
function asFile(name: string): string {
  return `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
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
