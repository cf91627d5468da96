/** The request of a translated call: in the neutral form, and as last written for a target. */
import type { BoundRequest } from '../../billing/bound.ts';
import { capToSend } from '../../billing/default-cap.ts';
import type { Target } from '../../catalog/model.ts';
import { holdsSound } from '../../chat/holds-sound.ts';
import { largestMedia } from '../../chat/largest-media.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { assert } from '../../core/assert.ts';
import {
  type AnyCallerDialect,
  type AnyProviderDialect,
  type ProviderDialectName,
  providerDialects,
} from '../../dialects/index.ts';
import type { WrittenRequest } from '../../dialects/interface/write-target.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Candidate } from '../../routing/candidate.ts';
import { writeJson } from '../../wire/json-write.ts';
import { errorForCaller, warningsForCaller } from './named-for-caller.ts';
import { writeTargetOf } from './write-target.ts';
import { writtenBound } from './written-bound.ts';

export interface TranslatedRequest extends Omit<WrittenRequest, 'body'> {
  readonly dialect: AnyProviderDialect;
  readonly body: Buffer;
}

/** What a translation takes of its call. */
export interface TranslatedCall {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly dialect: AnyCallerDialect;
}

export class Translation {
  readonly request: ChatRequest;
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #caller: AnyCallerDialect;
  #candidate: Candidate | null = null;
  #outputCap: number | null = null;
  /** What is written for that candidate, step by step: a value; its bytes, which replace the value; the input of its bound. */
  #value: WrittenRequest | null = null;
  #written: TranslatedRequest | null = null;
  #bound: BoundRequest | null = null;

  constructor(request: ChatRequest, { providers, dialect }: TranslatedCall) {
    this.request = request;
    this.#providers = providers;
    this.#caller = dialect;
  }

  /** Whether the request is written for this candidate, with this cap (`writeValue`). */
  isFor(candidate: Candidate, outputCap: number | null): boolean {
    return this.#candidate === candidate && this.#outputCap === outputCap && (this.#written ?? this.#value) !== null;
  }

  /**
   * The first step of `writtenFor`. `outputCap`: the cap, if the bank lowered it for a call without its own. Throws `GatewayError` 400 if
   * the target's format cannot express the request.
   */
  writeValue(candidate: Candidate, outputCap: number | null): void {
    if (this.isFor(candidate, outputCap)) return;
    const { model, target } = candidate;
    const { provider, name } = this.#spokenBy(target);
    const own = this.request.outputCap;
    const request = own === null ? { ...this.request, outputCap: capToSend(target, outputCap) } : this.request;
    this.#candidate = null;
    this.#written = null;
    this.#bound = null;
    try {
      this.#value = providerDialects[name].writeRequest(request, writeTargetOf(model, target, provider, name));
    } catch (error) {
      throw errorForCaller(error, this.#caller);
    }
    this.#candidate = candidate;
    this.#outputCap = outputCap;
  }

  /** `outputCap` as in `writeValue`, `scratch` as in `writeJson`. Throws as `writeValue` does. */
  writtenFor(candidate: Candidate, outputCap: number | null = null, scratch: Buffer | null = null): TranslatedRequest {
    this.writeValue(candidate, outputCap);
    if (this.#written !== null) return this.#written;
    const value = this.#value;
    assert(value !== null, 'the value was written for this candidate');
    this.#written = {
      ...value,
      body: writeJson(value.body, largestMedia(this.request), scratch),
      dialect: providerDialects[this.#spokenBy(candidate.target).name],
      warnings: [...this.request.warnings, ...warningsForCaller(value.warnings, this.#caller)],
    };
    this.#value = null;
    return this.#written;
  }

  #spokenBy(target: Target): { readonly provider: Provider; readonly name: ProviderDialectName } {
    const provider = this.#providers.get(target.provider);
    const name = this.#dialectFor(target);
    assert(
      provider !== undefined && name !== undefined,
      'a target names a configured provider, which speaks something',
    );
    return { provider, name };
  }

  /** The first that has a part for all of the request, or else the first, which says what it lacks. */
  #dialectFor({ dialects }: Target): ProviderDialectName | undefined {
    const [first] = dialects;
    if (dialects.length < 2 || !holdsSound(this.request)) return first;
    return dialects.find((name) => providerDialects[name].takesSound !== false) ?? first;
  }

  /**
   * The input of the bound for a call to `candidate`; `asked` is the caller's own request. Writes the request for it if
   * that has not been done.
   */
  boundRequest(asked: BoundRequest, candidate: Candidate, outputCap: number | null = null): BoundRequest {
    const written = this.writtenFor(candidate, outputCap);
    this.#bound ??= writtenBound(asked, this.request, written, written.dialect);
    return this.#bound;
  }

  /**
   * The same for a candidate that is asked in the format that the request is written in: nearly what it would be if it was written for that
   * one. Null for another format.
   */
  boundRequestLike(asked: BoundRequest, candidate: Candidate): BoundRequest | null {
    const written = this.#candidate;
    if (written === null || this.#dialectFor(candidate.target) !== this.#dialectFor(written.target)) return null;
    return this.boundRequest(asked, written, this.#outputCap);
  }

  /** Whether the caller asked to see what the model thinks. */
  get showsReasoning(): boolean {
    const { reasoning } = this.request;
    return reasoning !== null && !reasoning.hidden && reasoning.effort !== 'none';
  }

  /** Whether the caller asked not to see it. A request may ask for neither. */
  get hidesReasoning(): boolean {
    const { reasoning } = this.request;
    return reasoning !== null && (reasoning.hidden || reasoning.effort === 'none');
  }
}
