/** The kinds of providers, from their declarations. The demo is not a kind that an operator configures. */
import { parts } from '../../src/dialects/openai-chat/operations/index.ts';
import { providerKinds } from '../../src/providers/index.ts';
import type { ProviderDeclaration } from '../../src/providers/provider.ts';
import { noConversations } from '../../src/providers/route.ts';
import { code, codeList, markdownTable } from './markdown-table.ts';

export function providersReference(): string {
  const { demo: _demo, ...kinds } = providerKinds;
  return markdownTable(
    [
      'kind',
      'variable',
      'options',
      'formats, the preferred first',
      "besides conversations, in OpenAI's format",
      'address',
      'credential travels as',
      'models without a price',
    ],
    Object.values<ProviderDeclaration>(kinds).map((kind) => [
      code(kind.name),
      code(kind.environmentVariable ?? '') + (kind.environmentGives === 'origin' ? ' (an address)' : ''),
      optionList(kind),
      formatsOf(kind),
      kind.operations === 'usual' ? 'what the server has' : codeList(Object.keys(kind.operations ?? {})),
      kind.origin === null ? '`origin` is required' : code(kind.origin),
      codeList([...new Set(Object.values(kind.signatures).map(({ name }) => name))]),
      UNPRICED[kind.freeByDefault],
    ]),
  );
}

/** Which kinds have an operation besides conversations in OpenAI's format; each names the page in its declaration. */
export function providerOperationsReference(): string {
  const { demo: _demo, ...kinds } = providerKinds;
  return markdownTable(
    ['operation', 'kinds'],
    Object.keys(parts).map((operation) => [
      code(operation),
      codeList(
        Object.values<ProviderDeclaration>(kinds).flatMap(({ name, operations }) =>
          operations !== 'usual' && Object.hasOwn(operations ?? {}, operation) ? name : [],
        ),
      ),
    ]),
  );
}

/** A kind without conversations has only what the next column names. */
function formatsOf({ routes }: ProviderDeclaration): string {
  const formats = codeList(Object.keys(routes));
  return Object.values(routes).includes(noConversations) ? `${formats}, without conversations` : formats;
}

function optionList({ options }: ProviderDeclaration): string {
  const all = Object.entries(options).map(
    ([name, { isRequired, example }]) => `${code(name)}${isRequired ? '' : ' (optional)'}, such as ${code(example)}`,
  );
  return all.join('; ');
}

const UNPRICED: Readonly<Record<ProviderDeclaration['freeByDefault'], string>> = {
  always: 'free',
  'private-address': 'free at a private address, else not served prepaid',
  never: 'not served prepaid',
};
