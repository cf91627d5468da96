/** One way to serve a call. */
import type { Model, Target } from '../catalog/model.ts';
import type { OwnCredential } from './own-credential.ts';

export interface Candidate {
  readonly model: Model;
  /** One of the model's. */
  readonly target: Target;
  /** Null: the operator's credential is used. */
  readonly own: OwnCredential | null;
}

/** A model of an opened catalogue does not change, so its candidates are made once. */
const made = new WeakMap<Model, readonly Candidate[]>();
const targets = new WeakMap<readonly Candidate[], readonly Target[]>();

/** The ways to serve a model with the operator's credentials, in the catalogue's order; always the same objects for a model. */
export function candidatesOf(model: Model): readonly Candidate[] {
  let candidates = made.get(model);
  if (candidates === undefined) {
    candidates = model.targets.map((target) => ({ model, target, own: null }));
    made.set(model, candidates);
    targets.set(candidates, model.targets);
  }
  return candidates;
}

/** Their targets, in the same order. */
export function targetsOf(candidates: readonly Candidate[]): readonly Target[] {
  return targets.get(candidates) ?? candidates.map(({ target }) => target);
}
