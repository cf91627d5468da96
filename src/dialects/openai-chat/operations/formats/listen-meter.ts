import type { WholeAnswer } from '../../../kit/relay/whole-answer.ts';
import { TranscriptMeter } from '../../meter/transcript-meter.ts';
import { readListenAnswer } from './listen-answer.ts';

/** Meters Deepgram's answer as a verbose one of OpenAI's: by how long the recording is. */
export class ListenMeter extends TranscriptMeter {
  override body({ object }: WholeAnswer): void {
    const heard = readListenAnswer(object);
    this.readWhole(heard === null ? null : { text: heard.text, duration: heard.duration });
  }
}
