import type { WholeBody } from '../../../../core/body.ts';
import { GatewayError } from '../../../../core/errors.ts';
import type { FrameEditor } from '../../../interface/frame-editor.ts';
import type { WholeAnswer } from '../../../kit/relay/whole-answer.ts';
import { readListenAnswer } from './listen-answer.ts';
import { type TranscriptWish, writeTranscript } from './write-transcript.ts';

/** Makes what the caller wants of Deepgram's answer, which is never a stream. */
export class ListenEditor implements FrameEditor {
  readonly #wish: () => TranscriptWish;

  /** `wish`: asked once the answer is there. */
  constructor(wish: () => TranscriptWish) {
    this.#wish = wish;
  }

  frame(): null {
    return null;
  }

  recipe(): null {
    return null;
  }

  /** Throws `GatewayError` 502 for a transcript with invalid times. */
  body({ object }: WholeAnswer): WholeBody {
    const heard = readListenAnswer(object);
    const written = heard === null ? null : writeTranscript(heard, this.#wish());
    if (written !== null) return Buffer.from(written);
    throw new GatewayError('bad_gateway', { message: 'The provider returned an invalid response.' });
  }
}
