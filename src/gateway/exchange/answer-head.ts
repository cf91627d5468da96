/** What the head of a provider's answer says about its body. */
import type { AnswerHeaders } from '../../upstream/answer-sink.ts';
import type { Framing } from '../../wire/frames/framings.ts';

/** Whether it is compressed, although that was not requested. */
export function isEncoded(headers: AnswerHeaders): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity' && encoding !== '';
}

/** Whether it is a stream with this framing. */
export function isStream(headers: AnswerHeaders, { contentType }: Framing): boolean {
  return String(headers['content-type'] ?? '')
    .toLowerCase()
    .startsWith(contentType);
}
