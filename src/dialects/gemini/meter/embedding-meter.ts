/**
 * Meters an answer with vectors. Google AI mostly reports no usage for it, Vertex does: https://ai.google.dev/api/embeddings
 */
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE, type ReportedParts, readCount, type Usage } from '../../../core/usage.ts';
import type { Delivered, Meter, MeterState } from '../../interface/meter.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';

export class EmbeddingMeter implements Meter {
  state: MeterState = 'open';
  ended = false;
  readonly failure = null;
  readonly upstreamId = null;
  readonly finishReason = null;
  #usage: Usage | null = null;
  #isInvalid = false;

  /** These answers are never streams. */
  frame(): void {
    this.state = 'failed';
  }

  body({ object: answer }: WholeAnswer): void {
    this.ended = true;
    this.state = answer !== null && holdsVectors(answer) ? 'finished' : 'failed';
    const counts = asObject(answer?.['usageMetadata']);
    const reported = counts?.['promptTokenCount'];
    if (reported === undefined || reported === null) return;
    const tokens = readCount(reported);
    if (tokens === null) this.#isInvalid = true;
    else this.#usage = { ...NO_USAGE, inputTokens: tokens };
  }

  usage(): Usage | null {
    return this.#usage;
  }

  reported(): ReportedParts {
    return this.#usage === null ? 'none' : 'all';
  }

  usageInvalid(): boolean {
    return this.#isInvalid;
  }

  delivered(): Delivered {
    return { outputBytes: 0, outputTokens: 0 };
  }
}

function holdsVectors(answer: JsonObject): boolean {
  return asObject(answer['embedding']) !== null || Array.isArray(answer['embeddings']);
}
