/** Answers in Google's format that a provider may send to make the gateway work, whole and as streams; as `hostile-requests.ts`. */
import { jsonOf, pick, type Random, textOf, times } from './hostile-values.ts';

type Write = (random: Random, size: number) => string;

const usage = '"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}';
const TAIL = `${usage},"modelVersion":"m","responseId":"r"`;
const answer = (parts: string, more = '"finishReason":"STOP"') =>
  `{"candidates":[{"content":{"parts":[${parts}],"role":"model"},"index":0${more === '' ? '' : `,${more}`}}],${TAIL}}`;
const words = (random: Random, length: number) => JSON.stringify(textOf(random, length));

export const geminiWhole: Readonly<Record<string, Write>> = {
  'a long text': (random, size) => answer(`{"text":${words(random, size * 40)}}`),
  'many parts': (random, size) =>
    answer(
      times(size, () =>
        pick(random, [
          '{"text":"x"}',
          '{"text":"t","thought":true}',
          '{"text":"x","thoughtSignature":"c2ln"}',
          '{"odd":1}',
          '{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}',
        ]),
      ),
    ),
  'many calls': (_random, size) =>
    answer(times(size, (index) => `{"functionCall":{"name":"look","id":"c${index % 7}","args":{"a":${index}}}}`)),
  arguments: (random, size) => answer(`{"functionCall":{"name":"look","args":{"a":${jsonOf(random, size)}}}}`),
  'arguments in pieces': (_random, size) =>
    answer(
      `{"functionCall":{"name":"look","partialArgs":[${times(size, (index) => `{"jsonPath":"$.a[${index}].b.c","stringValue":"x"}`)}]}}`,
    ),
  'arguments at deep places': (_random, size) =>
    answer(
      `{"functionCall":{"name":"look","partialArgs":[${times(size, (index) => `{"jsonPath":"$${'.a'.repeat(60)}.k${index}","numberValue":1}`)}]}}`,
    ),
  'many candidates': (_random, size) =>
    `{"candidates":[${times(size, (index) => `{"index":${index},"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}`)}],${TAIL}}`,
  'many pages': (_random, size) =>
    answer(
      '{"text":"x"}',
      `"finishReason":"STOP","groundingMetadata":{"webSearchQueries":[${times(size, () => '"q"')}],"groundingChunks":[${times(size, (index) => `{"web":{"uri":"https://a.example/${index}"}}`)}]}`,
    ),
  'passages with many pages': (random, size) =>
    answer(
      `{"text":${words(random, size)}}`,
      `"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/"}}],"groundingSupports":[${times(size, (index) => `{"segment":{"startIndex":0,"endIndex":${index},"text":"p"},"groundingChunkIndices":[${times(20, (page) => String(page))}]}`)}]}`,
    ),
  'a field nobody knows': (random, size) => `{"x":${jsonOf(random, size)},${answer('{"text":"x"}').slice(1)}`,
  'versions within versions': (_random, size) =>
    `{"x":[${times(size, () => '{"modelVersion":"m"}')}],${answer('{"text":"x"}').slice(1)}`,
};

const frame = (json: string) => `data: ${json}\r\n\r\n`;
const frames = (size: number, write: (index: number) => string) =>
  Array.from({ length: size }, (_, index) => frame(write(index))).join('');
const said = (parts: string) => answer(parts, '');
const end = frame(answer('{"text":""}'));

export const geminiStream: Readonly<Record<string, Write>> = {
  'many words': (random, size) => frames(size, () => said(`{"text":${words(random, 5)}}`)) + end,
  'one long word': (random, size) => frame(said(`{"text":${words(random, size * 40)}}`)) + end,
  'thoughts and words in turns': (_random, size) =>
    frames(size, (index) => said(index % 2 === 0 ? '{"text":"x"}' : '{"text":"t","thought":true}')) + end,
  signatures: (_random, size) => frames(size, () => said('{"text":"x","thoughtSignature":"c2ln"}')) + end,
  'calls that begin and never end': (_random, size) =>
    frames(size, () => said('{"functionCall":{"name":"look","willContinue":true}}')) + end,
  'arguments letter by letter': (_random, size) =>
    frame(said('{"functionCall":{"name":"look","willContinue":true}}')) +
    frames(size, () =>
      said(
        '{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}',
      ),
    ) +
    end,
  'reasons again and again': (_random, size) => frames(size, () => answer('{"text":"x"}')),
  'pages again and again': (_random, size) =>
    frames(size, (index) =>
      answer('{"text":"x"}', `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/${index}"}}]}`),
    ) + end,
  'passages again and again': (_random, size) =>
    frames(size, (index) =>
      answer(
        '{"text":"x"}',
        `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/"}}],"groundingSupports":[{"segment":{"endIndex":${index}},"groundingChunkIndices":[0]}]}`,
      ),
    ) + end,
  'an error of many texts': (random, size) =>
    frame(`{"error":{"code":500,"message":"no","details":[${times(size, () => words(random, 5))}]}}`),
  'an error of any value': (random, size) => frame(`{"error":{"x":${jsonOf(random, size)}}}`),
};
