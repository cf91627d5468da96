/** Where a thing stands in each format: found in what is written of a fixture that has it. */
import { callerNames, neutralAnswers, neutralRequests, providerNames } from '../../../test/golden/fixtures.ts';
import { targetsOf } from '../../../test/golden/targets.ts';
import { writeNeutral, writeWhole } from '../../../test/golden/translate.ts';
import { code, markdownTable } from '../markdown-table.ts';

/** Whether a value with this name is the thing. */
type Is = (value: unknown, name: string) => boolean;
type Row = readonly [what: string, fixture: string, is: Is];

const text =
  (part: string): Is =>
  (value) =>
    typeof value === 'string' && value.includes(part);
const exactly =
  (wanted: unknown): Is =>
  (value) =>
    value === wanted;
const json =
  (wanted: object): Is =>
  (value) => {
    return value === JSON.stringify(wanted) || JSON.stringify(value) === JSON.stringify(wanted);
  };
/** A schema is found by a property that it has. */
const schemaOf =
  (property: string): Is =>
  (value, name) => {
    if (name === 'properties' || typeof value !== 'object' || value === null || !('properties' in value)) return false;
    return property in (value.properties as object);
  };

const IN_REQUESTS: readonly Row[] = [
  ['instructions', 'system-blocks', text('You are a harbour pilot.')],
  ['instructions in the middle', 'system-in-the-middle', text('From now on')],
  ['a text', 'text', text('When is high water?')],
  ['an image as data', 'image-data', text('iVBORw0KGgo')],
  ['an image by address', 'image-url', text('https://')],
  ['a PDF', 'document', text('JVBERi0xLjQK')],
  ['the name of a tool', 'tools', exactly('tide')],
  ['the schema of a tool', 'tools', schemaOf('port')],
  ['the id of a call', 'tool-loop', exactly('toolu_1')],
  ['the arguments of a call', 'tool-loop', json({ port: 'Brest' })],
  ['the result of a call', 'tool-loop', text('06:12 and 18:40')],
  ['Claude’s signature of a thought', 'reasoning-back', text('c2lnbmF0dXJl')],
  ['OpenAI’s encrypted thought', 'reasoning-back-summaries', text('c2VhbGVk')],
  ['Gemini’s signature', 'reasoning-back-on-a-call', text('Z2VtaW5p')],
  ['the output cap', 'cap-one', exactly(1)],
  ['a reasoning effort', 'reasoning-effort-high', (value) => /^high$/i.test(String(value))],
  [
    'a reasoning budget',
    'reasoning-budget-alone',
    (value) => typeof value === 'number' && value >= 1024 && value < 4000,
  ],
  ['the schema of the answer', 'structured-output', schemaOf('metres')],
  ['stop sequences', 'stop', text('Ahoy')],
  ['a cache mark', 'cache-marks', (_value, name) => /^cache/i.test(name)],
  ['the temperature', 'sampling', (_value, name) => name === 'temperature'],
  ['the user', 'user', exactly('mate-17')],
];

const IN_ANSWERS: readonly Row[] = [
  ['a text', 'text', text('High water is at noon.')],
  ['a thought', 'thought', text('The tide turns at noon.')],
  ['Claude’s signature of a thought', 'thought', text('c2lnbmF0dXJl')],
  ['OpenAI’s encrypted thought', 'summaries', text('c2VhbGVk')],
  ['Gemini’s signature', 'signed-call', text('Z2VtaW5p')],
  ['the id of a call', 'call', exactly('call_1')],
  ['the arguments of a call', 'call', json({ port: 'Brest' })],
  ['a refusal in words', 'refusal', text('I will not.')],
  ['a citation', 'citations', text('https://tides.example/brest')],
  ['the stop sequence that ended it', 'ended-by-stop-sequence', exactly('###')],
  ['the whole prompt: 4,320 tokens', 'usage-of-caches', exactly(4_320)],
  ['the prompt without what came from a cache: 320', 'usage-of-caches', exactly(320)],
  ['the prompt without caches: 20', 'usage-of-caches', exactly(20)],
  ['read from a cache: 4,000', 'usage-of-caches', exactly(4_000)],
  ['written to a cache: 300', 'usage-of-caches', exactly(300)],
  ['the output with its thoughts: 40', 'usage-of-caches', exactly(40)],
  ['the output without its thoughts: 9', 'usage-of-caches', exactly(9)],
  ['thoughts: 31', 'usage-of-caches', exactly(31)],
];

export function requestPlaces(): string {
  const requests = new Map(neutralRequests().map(({ name, request }) => [name, request]));
  const rows = IN_REQUESTS.map(([what, fixture, is]) => [
    what,
    ...providerNames.map((to) => {
      const request = requests.get(fixture);
      if (request === undefined) throw new Error(`there is no neutral request "${fixture}"`);
      for (const { target } of targetsOf(to)) {
        const written = writeNeutral(request, to, target);
        const place = written.type === 'written' ? findPlace(written.body, is) : null;
        if (place !== null) return code(place);
      }
      return '–';
    }),
  ]);
  return markdownTable(['a request’s', ...providerNames.map(code)], rows);
}

export function answerPlaces(): string {
  const answers = new Map(neutralAnswers().map(({ name, response }) => [name, response]));
  const rows = IN_ANSWERS.map(([what, fixture, is]) => [
    what,
    ...callerNames.map((to) => {
      const response = answers.get(fixture) ?? null;
      if (response === null) throw new Error(`there is no neutral answer "${fixture}"`);
      const place = findPlace(JSON.parse(writeWhole(to, response).bytes.toString()), is);
      return place === null ? '–' : code(place);
    }),
  ]);
  return markdownTable(['an answer’s', ...callerNames.map(code)], rows);
}

/** The first place, as `messages[].content[].text`; null if there is none. */
function findPlace(value: unknown, is: Is, place = '', name = ''): string | null {
  if (place !== '' && is(value, name)) return place;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const below = Array.isArray(value) ? `${place}[]` : place === '' ? key : `${place}.${key}`;
    const found = findPlace(inner, is, below, Array.isArray(value) ? name : key);
    if (found !== null) return found;
  }
  return null;
}
