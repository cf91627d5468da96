/** What the head of a provider's answer says about its body. */
import type { AnswerHeaders } from '../../upstream/answer-sink.ts';
import { type Framing, type FramingName, framings } from '../../wire/frames/framings.ts';

/** Whether it is compressed, although that was not requested. */
export function isEncoded(headers: AnswerHeaders): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity' && encoding !== '';
}

/** Of these framings the one of the stream that it announces; null if it is none. */
export function framingOf(headers: AnswerHeaders, names: readonly FramingName[]): Framing | null {
  const type = String(headers['content-type'] ?? '').toLowerCase();
  for (const name of names) {
    const framing: Framing = framings[name];
    for (const start of framing.contentTypes) if (type.startsWith(start)) return framing;
  }
  return null;
}
