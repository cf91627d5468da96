import * as z from 'zod';
import { configSchema } from './schema.ts';

/** JSON Schema of `turnpike.yaml`, for editors. */
export function configJsonSchema(): unknown {
  return {
    ...z.toJSONSchema(configSchema, {
      io: 'input',
      unrepresentable: 'any',
      override({ jsonSchema }) {
        // Prices may also be numbers: the reader keeps their digits.
        if (jsonSchema['decimal'] === true) (jsonSchema as { type?: unknown }).type = ['string', 'number'];
        for (const note of ['decimal', 'environment', 'environmentToo', 'flag', 'secret']) delete jsonSchema[note];
      },
    }),
    title: 'turnpike.yaml',
  };
}
