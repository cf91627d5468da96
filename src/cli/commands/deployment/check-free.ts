/** What costs nothing: counting tokens, errors in each format, the headers of answers, and a large body. */

import { refusedFinding } from './check-answers.ts';
import { objectIn, valueAt } from './deployment.ts';
import { type Examination, type Finding, seconds } from './finding.ts';
import { formats, messages } from './formats.ts';

const MIB = 1024 * 1024;
/** Screenshots and long files: nginx allows 1 MiB by default. */
const LARGE_BYTES = 12 * MIB;
/** No model has this name, so it is refused before a provider is asked. */
const NO_MODEL = 'turnpike-doctor/no-such-model';

export async function checkFree(examination: Examination): Promise<readonly Finding[]> {
  return [
    await checkCountTokens(examination),
    ...(await checkErrors(examination)),
    await checkNoKey(examination),
    await checkLargeBody(examination),
  ];
}

async function checkCountTokens(examination: Examination): Promise<Finding> {
  const { deployment, model } = examination;
  const name = 'count_tokens';
  const reply = await deployment.ask({
    path: '/v1/messages/count_tokens',
    headers: messages.headers(deployment.key),
    body: { model, messages: [{ role: 'user', content: 'How many tokens is this?' }] },
  });
  if (reply.status !== 200) return refusedFinding(examination, name, messages, reply);
  const tokens = valueAt(objectIn(reply), 'input_tokens');
  if (typeof tokens === 'number' && tokens > 0) return { name, state: 'ok', detail: `${tokens} tokens` };
  return { name, state: 'fail', detail: 'no number of tokens', fix: 'Let the proxy pass answers as they are.' };
}

/** An unknown model in each format, and the request id that people report with an error. */
async function checkErrors({ deployment }: Examination): Promise<readonly Finding[]> {
  const wrong: string[] = [];
  const without: string[] = [];
  for (const format of formats) {
    const reply = await deployment.ask({
      path: format.path(NO_MODEL, false),
      headers: format.headers(deployment.key),
      body: format.body(NO_MODEL, 'Hello', 16, false),
    });
    if (reply.status < 400 || reply.status > 404 || format.errorIn(reply) === null)
      wrong.push(`${format.title} (${reply.status})`);
    if (reply.headers[format.requestIdHeader] === undefined) without.push(format.requestIdHeader);
  }
  const names = [...new Set(without)].join(', ');
  return [
    wrong.length === 0
      ? { name: 'errors', state: 'ok', detail: "in each format's own shape" }
      : {
          ...{ name: 'errors', state: 'fail', detail: `not in the shape of their format: ${wrong.join(', ')}` },
          fix: 'Let the proxy pass answers with an error status as they are (nginx: proxy_intercept_errors off).',
        },
    names === ''
      ? { name: 'headers of answers', state: 'ok', detail: 'request ids arrive' }
      : {
          ...{ name: 'headers of answers', state: 'warn', detail: `missing: ${names}` },
          fix: 'Let the proxy pass all headers of answers: clients report the request id, and wait as Retry-After and the rate limits say.',
        },
  ];
}

async function checkNoKey({ deployment }: Examination): Promise<Finding> {
  const name = 'without a key';
  const { 'x-api-key': _, ...headers } = messages.headers('');
  const reply = await deployment.ask({
    path: '/v1/messages',
    headers,
    body: messages.body(NO_MODEL, 'Hello', 16, false),
  });
  if (reply.status === 401) return { name, state: 'ok', detail: 'refused with 401' };
  return {
    ...{ name, state: 'fail', detail: `answered with ${reply.status}` },
    fix: 'Remove the key that the proxy adds to requests: everyone who reaches it spends its money.',
  };
}

async function checkLargeBody({ deployment }: Examination): Promise<Finding> {
  const name = 'large request';
  const size = `${LARGE_BYTES / MIB} MiB`;
  const reply = await deployment.ask({
    path: '/v1/messages',
    headers: messages.headers(deployment.key),
    body: messages.body(NO_MODEL, 'a'.repeat(LARGE_BYTES), 16, false),
  });
  if (messages.errorIn(reply) === null)
    return {
      ...{ name, state: 'fail', detail: `a body of ${size} was refused with ${reply.status}, not by Turnpike` },
      fix: 'Raise the body limit of the proxy to 64 MiB (nginx: client_max_body_size 64m).',
    };
  if (reply.status === 413)
    return {
      ...{ name, state: 'warn', detail: `a body of ${size} was refused with 413` },
      fix: 'Raise `limits.bodyBytesMax` or `limits.memoryBytes` of the server, if clients send images or long files.',
    };
  return { name, state: 'ok', detail: `${size} arrived in ${seconds(reply.endMs)}` };
}
