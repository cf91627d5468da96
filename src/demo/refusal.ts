/** A request that the demo provider refuses; each dialect writes it in its own format. */
export interface RefusalDetails {
  /** OpenAI's `error.code`. */
  readonly code?: string;
  /** OpenAI's `error.param`. */
  readonly param?: string;
  /** Anthropic's `error.details`. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, message: string, details: RefusalDetails = {}) {
    super(message);
    this.status = status;
    this.code = details.code ?? null;
    this.param = details.param ?? null;
    this.details = details.details ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

export function badRequest(message: string, details: RefusalDetails = {}): Refusal {
  return new Refusal(400, message, details);
}

export function modelNotFound(model: string): Refusal {
  return new Refusal(404, `model: ${model}`, { code: 'model_not_found' });
}
