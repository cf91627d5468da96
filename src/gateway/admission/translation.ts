/** The request of a translated call: in the neutral form, and as last written for a target. */
import type { BoundRequest } from '../../billing/bound.ts';
import { capToSend } from '../../billing/default-cap.ts';
import type { Model, Target } from '../../catalog/model.ts';
import { holdsSound } from '../../chat/holds-sound.ts';
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
import { errorForCaller, warningsForCaller } from './named-for-caller.ts';
import { writeTargetOf } from './write-target.ts';
import { writtenBound } from './written-bound.ts';

export interface TranslatedRequest extends WrittenRequest {
  readonly dialect: AnyProviderDialect;
}

/** What a translation takes of its call. */
export interface TranslatedCall {
  readonly model: Model;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly dialect: AnyCallerDialect;
}

export class Translation {
  readonly request: ChatRequest;
  readonly #model: Model;
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #caller: AnyCallerDialect;
  #target: Target | null = null;
  #outputCap: number | null = null;
  #written: TranslatedRequest | null = null;

  constructor(request: ChatRequest, { model, providers, dialect }: TranslatedCall) {
    this.request = request;
    this.#model = model;
    this.#providers = providers;
    this.#caller = dialect;
  }

  /**
   * `outputCap`: the cap, if the bank lowered it for a call without its own; `scratch` as for writers. Throws `GatewayError`
   * 400 if the target's format cannot express the request.
   */
  writtenFor(target: Target, outputCap: number | null = null, scratch: Buffer | null = null): TranslatedRequest {
    if (this.#target === target && this.#outputCap === outputCap && this.#written !== null) return this.#written;
    const provider = this.#providers.get(target.provider);
    const name = this.#dialectFor(target);
    assert(
      provider !== undefined && name !== undefined,
      'a target names a configured provider, which speaks something',
    );
    const dialect = providerDialects[name];
    const own = this.request.outputCap;
    const request = own === null ? { ...this.request, outputCap: capToSend(target, outputCap) } : this.request;
    const writeTarget = writeTargetOf(this.#model, target, provider, name);
    let written: WrittenRequest;
    try {
      written = dialect.writeRequest(request, writeTarget, scratch);
    } catch (error) {
      throw errorForCaller(error, this.#caller);
    }
    this.#outputCap = outputCap;
    this.#target = target;
    this.#written = {
      ...written,
      dialect,
      warnings: [...this.request.warnings, ...warningsForCaller(written.warnings, this.#caller)],
    };
    return this.#written;
  }

  /** The first that has a part for all of the request, or else the first, which says what it lacks. */
  #dialectFor({ dialects }: Target): ProviderDialectName | undefined {
    const [first] = dialects;
    if (dialects.length < 2 || !holdsSound(this.request)) return first;
    return dialects.find((name) => providerDialects[name].takesSound !== false) ?? first;
  }

  /**
   * The input of the bound for a call to `target`; `asked` is the caller's own request. Writes the request for `target` if
   * that has not been done.
   */
  boundRequest(asked: BoundRequest, target: Target, outputCap: number | null = null): BoundRequest {
    const written = this.writtenFor(target, outputCap);
    return writtenBound(asked, this.request, written, written.dialect);
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
