/** Whole and streamed answers in every format, and when the pieces of a stream arrive: a proxy may hold them back, or cut a silent stream. */
import { type Deployment, objectIn, type Reply, valueAt } from './deployment.ts';
import { type Examination, type Finding, seconds } from './finding.ts';
import { type Format, formats } from './formats.ts';

export const ANSWER_TOKENS = 160;
/** The demo models take the last words for their orders; for all others they are two more words. */
const COUNTING = 'Count from one to forty in words, without anything else.';
/** The longer of the two. */
export const PROMPT = `${COUNTING} tokens=12 rate=24`;
const AT_ONCE = `${COUNTING} tokens=12 rate=0`;

/** A stream that took less time says nothing about what is between. */
const TELLING_MS = 400;
/** A stream is held back if all of it arrives in the last part of its time, and within a part of that: a model that thought first writes slower. */
const LATE_PART = 0.15;
const BURST_PART = 0.05;
const BURST_MS = 30;
/** A Turnpike pings every 15 s. */
const SILENCE_MS_MAX = 20_000;

export async function checkAnswers(examination: Examination): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const format of formats) {
    findings.push(wholeFinding(examination, format, await ask(examination, format, false)));
    findings.push(streamFinding(examination, format, await ask(examination, format, true)));
  }
  return findings;
}

function ask({ deployment, model }: Examination, format: Format, stream: boolean): Promise<Reply> {
  return deployment.ask({
    path: format.path(model, stream),
    headers: format.headers(deployment.key),
    body: format.body(model, stream ? PROMPT : AT_ONCE, ANSWER_TOKENS, stream),
  });
}

function wholeFinding(examination: Examination, format: Format, reply: Reply): Finding {
  const name = `${format.title}, whole`;
  if (reply.status !== 200) return refusedFinding(examination, name, format, reply);
  if (reply.isCut || !format.isAnswer(reply))
    return {
      ...{ name, state: 'fail', detail: 'the answer is not one in this format' },
      fix: 'Let the proxy pass answers as they are: no error pages, no rewriting.',
    };
  return { name, state: 'ok', detail: `answered in ${seconds(reply.endMs)}` };
}

function streamFinding(examination: Examination, format: Format, reply: Reply): Finding {
  const name = `${format.title}, streamed`;
  if (reply.status !== 200) return refusedFinding(examination, name, format, reply);
  const { endMs, arrivals, headMs } = reply;
  const silence = longestSilence(reply);
  if (reply.isCut || !format.isComplete(reply))
    return {
      ...{
        name,
        state: 'fail',
        detail: `cut off after ${seconds(endMs)}, with a silence of ${seconds(silence)} before it`,
      },
      fix: 'Raise the idle and read time limits of the proxy above 60 s (nginx: proxy_read_timeout 300s); Turnpike pings every 15 s.',
    };
  if (!String(reply.headers['content-type']).startsWith('text/event-stream'))
    return {
      ...{
        name,
        state: 'fail',
        detail: `its content-type is ${examination.deployment.shown(String(reply.headers['content-type']))}`,
      },
      fix: 'Let the proxy pass the header content-type of answers.',
    };
  const first = arrivals[0] ?? endMs;
  if (isHeldBack(reply))
    return {
      ...{ name, state: 'fail', detail: `held back: all of it arrived ${seconds(first)} after the request, at once` },
      fix: 'Turn off buffering of answers, and compression of event streams, at the proxy (nginx: proxy_buffering off; gzip off).',
    };
  const detail = `head after ${seconds(headMs)}, first piece after ${seconds(first)}, ${arrivals.length} pieces in ${seconds(endMs)}`;
  if (silence > SILENCE_MS_MAX)
    return {
      ...{ name, state: 'warn', detail: `${detail}; silent for ${seconds(silence)}, without a ping` },
      fix: 'Check `timeouts.pingMs` of the server, and whether a proxy removes comments from event streams.',
    };
  return {
    name,
    state: 'ok',
    detail: endMs < TELLING_MS ? `${detail}; too fast to see whether a proxy waits` : detail,
  };
}

function isHeldBack({ arrivals, endMs }: Reply): boolean {
  const [first, last] = [arrivals[0], arrivals.at(-1)];
  if (first === undefined || last === undefined || endMs < TELLING_MS) return false;
  return first > (1 - LATE_PART) * endMs && last - first < Math.max(BURST_MS, BURST_PART * endMs);
}

/** Between two pieces, or before the first or the end. */
function longestSilence({ arrivals, headMs, endMs }: Reply): number {
  const times = [headMs, ...arrivals, endMs];
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] as number)));
}

export function refusedFinding({ deployment }: Examination, name: string, format: Format, reply: Reply): Finding {
  const message = format.errorIn(reply);
  const code = errorCodeIn(reply);
  const detail = `refused with ${reply.status}${code === null ? '' : ` ${code}`}${message === null ? '' : `: ${deployment.shown(message)}`}`;
  if (reply.status === 401)
    return {
      ...{ name, state: 'fail', detail },
      fix: 'Let the proxy pass the headers Authorization, x-api-key and x-goog-api-key.',
    };
  if (message === null)
    return {
      ...{ name, state: 'fail', detail: `${detail}, not by Turnpike` },
      fix: 'Let the proxy pass POST requests to this path, and answers of any status as they are.',
    };
  return {
    name,
    state: 'fail',
    detail,
    fix: `${lookUp(deployment, reply)}, or choose another model with --model.`,
  };
}

/** The page is the examined deployment's own: its reference has the codes of its version. */
export function lookUp({ url }: Pick<Deployment, 'url'>, reply: Pick<Reply, 'body'>): string {
  const code = errorCodeIn(reply);
  const page = `${url.origin}${url.pathname.replace(/\/$/, '')}/docs/reference/errors`;
  return code === null ? `Look up the code of the error at ${page}` : `Read ${page}#${code}`;
}

/** Null if the answer has none of ours: `details`, `metadata` or `code` have it, by the format. */
function errorCodeIn(reply: Pick<Reply, 'body'>): string | null {
  const error = valueAt(objectIn(reply), 'error');
  const found = [
    valueAt(error, 'details', 'code'),
    valueAt(error, 'details', 0, 'metadata', 'code'),
    valueAt(error, 'metadata', 'error_type'),
    valueAt(error, 'code'),
  ].find((code) => typeof code === 'string' && CODE.test(code));
  return found === undefined ? null : String(found);
}

const CODE = /^[a-z_]{1,60}$/;
