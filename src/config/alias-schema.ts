/** An alias in the file: a name that leads to models, for all accounts. Whether the models are served is only known when it runs. */
import * as z from 'zod';
import { ALIAS_CHOICES, type AliasRule, type AliasTarget } from '../catalog/alias.ts';
import { ALIAS_NAME, ALIAS_NAME_RULE, isModelId, listComplaint } from '../catalog/check-alias.ts';

const target = z.strictObject({
  model: z.string().min(1).max(200),
  provider: z.string().min(1).max(100).nullable().default(null),
  weight: z.int().min(0).default(1),
}) satisfies z.ZodType<AliasTarget>;

const aliasSchema = z.strictObject({
  name: z
    .string()
    .regex(ALIAS_NAME, ALIAS_NAME_RULE)
    .refine((name) => !isModelId(name), 'is the id of a model, which always means that model; choose another name'),
  choice: z.enum(ALIAS_CHOICES).default('key'),
  targets: z.array(target).superRefine((targets, context) => {
    const message =
      listComplaint(targets) ?? (hasTwins(targets) ? 'a model with the same provider is there twice' : null);
    if (message !== null) context.addIssue({ code: 'custom', message });
  }),
}) satisfies z.ZodType<AliasRule>;

export const aliasesSchema = z.array(aliasSchema).superRefine((rules, context) => {
  for (const [index, { name, targets }] of rules.entries()) {
    if (rules.findIndex((rule) => rule.name === name) < index)
      context.addIssue({ code: 'custom', path: [index, 'name'], message: 'an earlier alias has the same name' });
    for (const [at, { model }] of targets.entries())
      if (rules.some((rule) => rule.name === model))
        context.addIssue({
          code: 'custom',
          path: [index, 'targets', at, 'model'],
          message: 'is an alias, and an alias leads to models only',
        });
  }
});

function hasTwins(targets: readonly AliasTarget[]): boolean {
  return new Set(targets.map(({ model, provider }) => `${model} ${provider}`)).size < targets.length;
}
