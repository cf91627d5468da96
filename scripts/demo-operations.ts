/** The steps of `npm run demo` besides conversations: one for each operation, and a batch of two lines. */
import { expect, type Outcome, type Step } from './demo-step.ts';

export interface DemoCaller {
  /** As JSON; GET without a body. */
  readonly send: (path: string, body?: object) => Promise<Response>;
  readonly sendForm: (path: string, form: FormData) => Promise<Response>;
}

/** Calls that these steps make, each of which is settled; the batch makes two. */
export const OPERATIONS_SETTLED = 10;

export function operationSteps({ send, sendForm }: DemoCaller): readonly Step[] {
  let recording = new Blob();
  return [
    {
      name: 'completions',
      balance: 'charged',
      run: () => expect(send('/api/v1/completions', { model: 'demo/echo', prompt: 'Hello' }), 200, /"text":"(Hello)"/),
    },
    {
      name: 'embeddings',
      balance: 'charged',
      run: () => expect(send('/api/v1/embeddings', { model: 'demo/embed', input: 'Hello' }), 200, /"(embedding)":/),
    },
    {
      name: 'rerank',
      balance: 'charged',
      run: () => {
        const asked = { model: 'demo/rerank', query: 'red wine', documents: ['white bread', 'red wine'] };
        return expect(send('/api/v1/rerank', asked), 200, /("index":1),/);
      },
    },
    {
      name: 'moderations, free',
      balance: 'stays',
      run: () =>
        expect(send('/api/v1/moderations', { model: 'demo/moderate', input: 'violence' }), 200, /("flagged":true)/),
    },
    {
      name: 'an image',
      balance: 'charged',
      run: () => expect(send('/api/v1/images/generations', { model: 'demo/image', prompt: 'Hello' }), 200, PICTURE),
    },
    {
      name: 'an image, edited',
      balance: 'charged',
      run: () => {
        const form = formOf({ model: 'demo/image', prompt: 'Hello' });
        form.set('image', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png');
        return expect(sendForm('/api/v1/images/edits', form), 200, PICTURE);
      },
    },
    {
      name: 'speech',
      balance: 'charged',
      run: async () => {
        const asked = { model: 'demo/speak', input: 'Hello', voice: 'any', response_format: 'wav' };
        const answer = await send('/api/v1/audio/speech', asked);
        recording = await answer.blob();
        const saw = `${recording.size} bytes`;
        return { saw, status: answer.status, isRight: answer.status === 200 && recording.size > 1000 };
      },
    },
    {
      name: 'a transcription of it',
      balance: 'charged',
      run: () => {
        const form = formOf({ model: 'demo/listen' });
        form.set('file', recording, 'speech.wav');
        return expect(sendForm('/api/v1/audio/transcriptions', form), 200, /"text":"([^"]+)"/);
      },
    },
    { name: 'a batch of two lines', balance: 'charged', run: () => runBatch({ send, sendForm }) },
  ];
}

const PICTURE = /"(b64_json)":/;
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** It is asked for this often. */
const LOOK_MS = 50;
const LOOKS_MAX = 200;

async function runBatch({ send, sendForm }: DemoCaller): Promise<Outcome> {
  const line = (id: string) => ({
    ...{ custom_id: id, method: 'POST', url: '/v1/chat/completions' },
    body: { model: 'demo/echo', messages: [{ role: 'user', content: `Hello from ${id}` }] },
  });
  const form = formOf({ purpose: 'batch' });
  form.set('file', new Blob([`${JSON.stringify(line('one'))}\n${JSON.stringify(line('two'))}\n`]), 'lines.jsonl');
  const file = await jsonOf(await sendForm('/api/v1/files', form));
  const asked = { input_file_id: file['id'], endpoint: '/v1/chat/completions', completion_window: '24h' };
  let batch = await jsonOf(await send('/api/v1/batches', asked));
  for (let look = 0; look < LOOKS_MAX && batch['status'] !== 'completed'; look += 1) {
    await new Promise<void>((resolve) => setTimeout(() => resolve(), LOOK_MS));
    batch = await jsonOf(await send(`/api/v1/batches/${batch['id']}`));
  }
  return expect(send(`/api/v1/files/${batch['output_file_id']}/content`), 200, /"content":"(Hello from two)"/);
}

async function jsonOf(answer: Response): Promise<Readonly<Record<string, unknown>>> {
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
