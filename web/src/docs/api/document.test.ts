/** Goal: the explorer's search finds a route by its parameters. Method: the document that the server serves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiText } from '../../../../src/api/public/openapi.ts';
import { type Document, groupsOf, searched } from './document.ts';

const document = JSON.parse(await openApiText({ version: '1', publicUrl: null })()) as Document;
const found = (search: string) => searched(groupsOf(document), search).flatMap(({ operations }) => operations);

test('a search looks in the names, values and descriptions of parameters', () => {
  const ids = found('csv').map(({ operationId }) => operationId);
  const withFormat = groupsOf(document)
    .flatMap(({ operations }) => operations)
    .filter(({ parameters }) =>
      parameters?.some(({ name, schema }) => name === 'format' && schema?.enum?.includes('csv')),
    )
    .map(({ operationId }) => operationId);
  assert.ok(withFormat.length >= 5);
  assert.deepEqual(ids, withFormat);
  assert.ok(found('same key and body within 24 hours').length > 0);
  assert.deepEqual(found('csv zebra'), []);
});
