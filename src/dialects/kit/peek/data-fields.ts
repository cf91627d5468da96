/**
 * Fields whose value is the caller's own data in any format: the input of a tool call, schemas, examples, labels. Names inside them are
 * the caller's and may have any spelling.
 */
export const dataFields: readonly string[] = [
  ...[
    'input',
    'arguments',
    'input_examples',
    'parameters',
    'input_schema',
    'inputSchema',
    'output_schema',
    'json_schema',
    'schema',
    'properties',
  ],
  ...['json', 'metadata'],
];
