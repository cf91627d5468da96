/** What schemas of the OpenAPI document are made of. */
export const text = { type: 'string' };
export const file = { type: 'string', format: 'binary' };
export const number = { type: 'number' };
export const yesOrNo = { type: 'boolean' };
export const textOrNull = { type: ['string', 'null'] };
export const numberOrNull = { type: ['number', 'null'] };
export const anyObject = { type: 'object', additionalProperties: true };

export const timeOrNull = { type: ['string', 'null'], format: 'date-time' };
export const textsOrNull = { type: ['array', 'null'], items: text };
export const count = { type: 'integer', minimum: 0 };
export const countOrNull = { type: ['integer', 'null'], minimum: 0 };
export const usd = { type: 'number', description: 'USD, exact.' };
export const usdOrNull = { type: ['number', 'null'], description: 'USD, exact.' };

export function list(items: Readonly<Record<string, unknown>>) {
  return { type: 'array', items };
}

/** An object with required fields, and possibly more. */
export function open(properties: Readonly<Record<string, unknown>>, required = Object.keys(properties)) {
  return { type: 'object', required, properties, additionalProperties: true };
}
