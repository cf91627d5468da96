/** The name of the model in an answer. */
import type { Understood } from '../phases.ts';

/** As the caller wrote it, if that means the model that answers; otherwise its id: of an alias, and of a fallback. */
export function shownModel({ peek, model, named }: Pick<Understood, 'peek' | 'model' | 'named'>): string {
  return model === named ? peek.model : model.id;
}
