/** Answers and refusals in formats that a single operation has at a single provider; see `hostile-answers.ts`. */
import { bytesOf } from '../../src/core/body.ts';
import { GatewayError } from '../../src/core/errors.ts';
import { type OperationFormatName, operationFormats } from '../../src/dialects/index.ts';
import type { AskedInFormat } from '../../src/dialects/interface/operation-format.ts';
import { WholeAnswer } from '../../src/dialects/kit/relay/whole-answer.ts';
import { scanJson } from '../../src/wire/json-scan.ts';
import { jsonOf, type Random, textOf, times } from './hostile-values.ts';
import type { Stages } from './stages.ts';

interface FormatAnswer {
  readonly name: string;
  readonly format: OperationFormatName;
  write(random: Random, size: number): string;
}

const text = (random: Random, length: number) => JSON.stringify(textOf(random, length));
const listen = (words: string, utterances: string, transcript = '"x"') =>
  `{"metadata":{"duration":1},"results":{"channels":[{"alternatives":[{"transcript":${transcript},"words":[${words}]}]}],"utterances":[${utterances}]}}`;
const span = (name: string, value: string) => `{"${name}":${value},"start":0.25,"end":1.5}`;

export const FORMAT_ANSWERS: readonly FormatAnswer[] = [
  deepgram('a long transcript', (random, size) => listen('', '', text(random, size * 40))),
  deepgram('many words', (random, size) =>
    listen(
      times(size, () => span('word', text(random, 3))),
      '',
    ),
  ),
  deepgram('many utterances', (random, size) =>
    listen(
      '',
      times(size, () => span('transcript', text(random, 3))),
    ),
  ),
  deepgram('arrows and line breaks', (_random, size) =>
    listen('', span('transcript', `"${'\\n-->'.repeat(size * 10)}"`)),
  ),
  deepgram(
    'many channels',
    (_random, size) => `{"results":{"channels":[${times(size, () => '{"alternatives":[{"transcript":"x"}]}')}]}}`,
  ),
  deepgram('a field nobody knows', (random, size) => `{"x":${jsonOf(random, size)},${listen('', '').slice(1)}`),
  deepgram('a long message', (random, size) => `{"err_code":"x","err_msg":${text(random, size * 40)}}`),
  deepgram('long details', (random, size) => `{"message":${text(random, size)},"details":${text(random, size * 40)}}`),
  elevenlabs('a long message', (random, size) => `{"detail":{"status":"x","message":${text(random, size * 40)}}}`),
  elevenlabs('many details', (_random, size) => `{"detail":[${times(size, () => '{"loc":["body"],"msg":"m"}')}]}`),
];

/** What the gateway does with such a body: as an answer for each wish, and as a refusal. */
export function formatStages({ format: name }: FormatAnswer): (bytes: Buffer) => Stages {
  const format = operationFormats[name];
  return (bytes) => ({
    ...Object.fromEntries(
      ['json', 'verbose_json', 'srt', 'vtt'].map((wish) => [
        `answer with ${wish}`,
        () => {
          const relay = format.openRelay(askedFor(wish), { callerModel: 'c', cost: () => '0.1', unitLine: () => 1 });
          const answer = new WholeAnswer(bytes);
          relay.readBody(answer);
          try {
            bytesOf(relay.editBody(answer));
          } catch (error) {
            if (!(error instanceof GatewayError)) throw error;
          }
        },
      ]),
    ),
    refuse: () => format.readError(400, {}, bytes),
  });
}

function askedFor(wish: string): AskedInFormat {
  const fields = { response_format: wish, 'timestamp_granularities[]': ['word', 'segment'] };
  const document = scanJson(Buffer.from(JSON.stringify(fields)), {});
  return { inbound: { document }, peek: { units: { name: 'second', most: 1 } } } as unknown as AskedInFormat;
}

function deepgram(name: string, write: FormatAnswer['write']): FormatAnswer {
  return { name: `deepgram-listen: ${name}`, format: 'deepgram-listen', write };
}

function elevenlabs(name: string, write: FormatAnswer['write']): FormatAnswer {
  return { name: `elevenlabs-speech: ${name}`, format: 'elevenlabs-speech', write };
}
