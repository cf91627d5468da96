/** Answers of providers of Responses; see `hostile-answers.ts`. */
import type { WriteAnswer } from './hostile-answers.ts';
import { jsonOf, pick, textOf, times } from './hostile-values.ts';

const usage = '"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}';
const response = (output: string, status = 'completed', more = '') =>
  `{"id":"resp_1","object":"response","status":"${status}","model":"m","error":null,"output":[${output}],${usage}${more}}`;
const message = (content: string) =>
  `{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[${content}]}`;
const said = (text: string, annotations = '') =>
  `{"type":"output_text","text":${JSON.stringify(text)},"annotations":[${annotations}]}`;
const call = (index: number, args = '{}') =>
  `{"type":"function_call","id":"fc_${index}","call_id":"c${index}","name":"look","arguments":${JSON.stringify(args)}}`;
const citation = '{"type":"url_citation","url":"https://a.example","title":"t","start_index":0,"end_index":1}';

export const responsesWholes: Readonly<Record<string, WriteAnswer>> = {
  'a long text': (random, size) => response(message(said(textOf(random, size * 40)))),
  'many items': (random, size) =>
    response(
      times(size, (index) =>
        pick(random, [
          message(said('x')),
          call(index),
          '{"type":"reasoning","id":"r","summary":[],"encrypted_content":"x"}',
          '{"type":"odd"}',
        ]),
      ),
    ),
  'many parts': (random, size) =>
    response(
      message(times(size, () => pick(random, [said('x'), '{"type":"refusal","refusal":"r"}', '{"type":"odd"}']))),
    ),
  'many calls of one id': (_random, size) => response(times(size, () => call(0))),
  arguments: (random, size) => response(call(0, `{"a":${jsonOf(random, size)}}`)),
  citations: (_random, size) =>
    response(
      message(
        said(
          'x',
          times(size, () => citation),
        ),
      ),
    ),
  'a field nobody knows': (random, size) => response(message(said('x')), 'completed', `,"x":${jsonOf(random, size)}`),
};

let number = 0;
const event = (type: string, fields: string) => {
  number += 1;
  return `event: ${type}\ndata: {"type":"${type}","sequence_number":${number},${fields}}\n\n`;
};
const frames = (size: number, frame: (index: number) => string) =>
  Array.from({ length: size }, (_, index) => frame(index)).join('');
const start = () => event('response.created', `"response":${response('', 'in_progress')}`);
const end = (output = '') => event('response.completed', `"response":${response(output)}`);
const added = (index: number, item: string) =>
  event('response.output_item.added', `"output_index":${index},"item":${item}`);
const done = (index: number, item: string) =>
  event('response.output_item.done', `"output_index":${index},"item":${item}`);
const delta = (kind: string, index: number, id: string, text: string) =>
  event(
    `response.${kind}.delta`,
    `"output_index":${index},"content_index":0,"summary_index":0,"item_id":"${id}","delta":${JSON.stringify(text)}`,
  );

export const responsesStreams: Readonly<Record<string, WriteAnswer>> = {
  'many words': (random, size) =>
    start() +
    added(0, message('')) +
    frames(size, () => delta('output_text', 0, 'msg_1', textOf(random, 5))) +
    done(0, message(said('x'))) +
    end(message(said('x'))),
  'one long word': (random, size) =>
    start() + added(0, message('')) + delta('output_text', 0, 'msg_1', textOf(random, size * 40)) + end(),
  'items that begin and never end': (_random, size) =>
    start() + frames(size, (index) => added(index, call(index, ''))) + end(),
  'calls that go on in turns': (_random, size) =>
    start() +
    frames(size, (index) => added(index, call(index, ''))) +
    frames(size, (index) => delta('function_call_arguments', index, `fc_${index}`, '{}')) +
    end(),
  'arguments letter by letter': (random, size) =>
    start() +
    added(0, call(0, '')) +
    frames(size, () => delta('function_call_arguments', 0, 'fc_0', pick(random, ['1', '{', '"', '\\', ' ']))) +
    done(0, call(0)) +
    end(),
  'items that are only done': (_random, size) => start() + frames(size, (index) => done(index, call(index))) + end(),
  'items that are only in the whole answer': (_random, size) => start() + end(times(size, (index) => call(index))),
  'the same item done again and again': (_random, size) =>
    start() + added(0, call(0, '')) + frames(size, () => done(0, call(0))) + end(),
  'ids that change': (_random, size) =>
    start() + added(0, message('')) + frames(size, (index) => delta('output_text', 0, `msg_${index}`, 'x')) + end(),
  'summaries of many parts': (_random, size) =>
    start() +
    added(0, '{"type":"reasoning","id":"rs","summary":[]}') +
    frames(size, (index) =>
      event(
        'response.reasoning_summary_text.delta',
        `"output_index":0,"summary_index":${index},"item_id":"rs","delta":"x"`,
      ),
    ) +
    end(),
  citations: (_random, size) =>
    start() +
    added(0, message('')) +
    frames(size, () =>
      event(
        'response.output_text.annotation.added',
        `"output_index":0,"content_index":0,"item_id":"msg_1","annotation":${citation}`,
      ),
    ) +
    end(),
  'events nobody knows': (_random, size) =>
    start() + frames(size, (index) => event(`response.odd_${index}`, '"x":1')) + end(),
  'an error of one long text': (random, size) =>
    start() + event('error', `"code":"x","message":${JSON.stringify(textOf(random, size * 40))}`),
  'an error of any value': (random, size) =>
    start() + event('response.failed', `"response":{"error":{"x":${jsonOf(random, size)}}}`),
};
