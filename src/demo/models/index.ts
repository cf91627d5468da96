/** The demo models, by their name at the provider. */
import type { Answer } from '../answer.ts';
import type { Ask } from '../ask.ts';
import { modelNotFound } from '../refusal.ts';
import { echo } from './echo.ts';
import { flaky } from './flaky.ts';
import { lorem } from './lorem.ts';
import { tools } from './tools.ts';

/** Models answer under a dated name, as vendors' models do. */
export const MODEL_DATE = '2026-11-01';

const models: Readonly<Record<string, (ask: Ask) => Answer>> = { echo, lorem, tools, flaky };

export const modelNames: readonly string[] = Object.keys(models);

/** `echo` for `echo`, `demo/echo` and `echo-2026-11-01`; throws a 404 for an unknown model. */
export function bareModelName(model: string): string {
  const name = model.replace(/^demo\//, '').replace(`-${MODEL_DATE}`, '');
  if (!Object.hasOwn(models, name)) throw modelNotFound(model);
  return name;
}

/** A request that forces a tool call gets one from any model. */
export function answer(ask: Ask): Answer {
  const isForced = ask.toolChoice.type === 'required' || ask.toolChoice.type === 'named';
  const model = isForced ? tools : models[bareModelName(ask.model)];
  if (model === undefined) throw modelNotFound(ask.model);
  return model(ask);
}
