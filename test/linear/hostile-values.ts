/** Values that are expensive to process, as JSON text: small ones that are repeated, and long strings. The seed decides everything random. */

export type Random = () => number;

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** `count` items, with commas. */
export function times(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(',');
}

const LETTERS = [
  'a',
  ' ',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\\',
  '0',
  '1',
  'e',
  '.',
  '-',
  '@',
  '/',
  '<',
  '*',
  '\n',
  'é',
  '😀',
];
const PHRASES = [
  '"tp1.',
  '{"type":"thinking","signature":"tp1.x"}',
  'sk-abc',
  'sk-ant-api03-',
  'a@b.c',
  '-----BEGIN PRIVATE KEY-----',
  'bearer ',
  '4111 1111 ',
  'data: {"choices":[]}\n\n',
  '\\u0000',
  'data:image/png;base64,',
  '```json\n',
  '"content":"',
  'eyJ',
];

/** A string of about `length` characters: one phrase repeated, or random letters. */
export function textOf(random: Random, length: number): string {
  const phrase =
    random() < 0.6
      ? pick(random, PHRASES)
      : Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(random, LETTERS)).join('');
  return phrase.repeat(Math.ceil(length / phrase.length)).slice(0, length);
}

/** A number of about the given digits. */
export function numberOf(random: Random, length: number): string {
  const digits = pick(random, ['0', '9', '10', '05']).repeat(Math.max(1, Math.ceil(length / 2)));
  return pick(random, [
    `1${digits}`,
    `1${digits}1`,
    `0.${digits}1`,
    `-1.${digits}`,
    `1${digits}e5`,
    `1e-${digits}1`,
    `1e${digits}`,
  ]);
}

/** A value of `size` small ones, or of one large one. */
export function jsonOf(random: Random, size: number): string {
  return pick(random, SHAPES)(random, size);
}

const SHAPES: readonly ((random: Random, size: number) => string)[] = [
  (_random, size) => `[${times(size, () => '{}')}]`,
  (_random, size) => `[${times(size, () => '[]')}]`,
  (random, size) => `[${times(size, () => JSON.stringify(textOf(random, 8)))}]`,
  (random, size) => `{${times(size, (index) => `"k${index}":${JSON.stringify(textOf(random, 5))}`)}}`,
  (_random, size) => `{${times(size, (index) => `"${index}":{"type":"thinking","signature":"tp1.x","data":"tp1."}`)}}`,
  (random, size) =>
    `[${times(Math.ceil(size / 20), () => `${'[{"a":'.repeat(20)}1${'}]'.repeat(20)}`)},${numberOf(random, 5)}]`,
  (random, size) => `[${times(size, () => numberOf(random, 20))}]`,
  (random, size) => numberOf(random, size * 20),
  (random, size) => JSON.stringify(textOf(random, size * 20)),
  (_random, size) => `["{",${'":1 ",'.repeat(size)}"tp1.x"]`,
  (_random, size) => `[${' '.repeat(size * 20)}1]`,
  (_random, size) => `{${times(size, (index) => `"type":"t${index}"`)}}`,
  (_random, size) =>
    `{"properties":{${times(size, (index) => `"p${index}":{"type":"string","enum":["a","b"]}`)}},"required":[${times(size, (index) => `"p${index}"`)}]}`,
  (_random, size) => `{"type":"object","anyOf":[${times(size, () => '{"type":"null"}')}],"$defs":{"a":{"$ref":"#"}}}`,
];
