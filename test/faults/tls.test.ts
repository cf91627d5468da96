/**
 * Goal: a provider over TLS is served like one without, byte for byte, and one that cannot prove its identity
 * gets no request. Method: scripted providers with certificates of their own, the same scripts over TCP for comparison.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type CertificateName, certificate, certificateFile, trust } from '../support/certificates.ts';
import { CLOSED_SOON_MS } from '../support/closed-soon.ts';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  endsProperly,
  errorCode,
  type OpenBench,
  openBenchWith,
  openGateway,
  PATHS,
  rawCall,
  scriptedProvider,
} from '../support/open-gateway.ts';
import { type Script, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { startServer } from '../support/serve-process.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { standstill } from '../support/turns.ts';
import {
  answerWell,
  anthropicBody,
  anthropicFrames,
  openaiBody,
  openaiFrames,
  stream,
  streamInPieces,
  streamThen,
} from '../support/upstream-scripts.ts';

/** Some hundred TLS records, and reads. */
const LARGE = 'a large answer '.repeat(200_000);

const framesOf = (dialect: DialectUnderTest, pieces: readonly string[]) =>
  dialect === 'openai-chat' ? openaiFrames(pieces) : anthropicFrames(pieces);
const bodyOf = (dialect: DialectUnderTest, text: string) =>
  dialect === 'openai-chat' ? openaiBody(text) : anthropicBody(text);

/** What a provider sends, by name, and whether a stream is asked for. */
const ANSWERS: Readonly<Record<string, readonly [streamed: boolean, script: (dialect: DialectUnderTest) => Script]>> = {
  'a whole answer': [false, () => answerWell],
  'a whole answer of 3 MB': [false, (dialect) => (exchange) => exchange.whole(200, bodyOf(dialect, LARGE))],
  'a stream, a chunk a frame': [true, (dialect) => stream(framesOf(dialect, ['Hi', ' you']))],
  'a stream, a byte a record': [true, (dialect) => streamInPieces(framesOf(dialect, ['Hi', ' you']), 1)],
  'a stream of frames larger than a record': [
    true,
    (dialect) => stream(framesOf(dialect, Array(9).fill(LARGE.slice(0, 50_000)))),
  ],
};

describe('over TLS', () => {
  let plain: OpenBench;
  let secure: OpenBench;
  before(async () => {
    trust('trusted');
    plain = await openBenchWith(await startScriptedUpstream(answerWell));
    secure = await openBenchWith(await startScriptedUpstream(answerWell, certificate('trusted')));
  });
  after(async () => {
    await plain.close();
    await secure.close();
  });

  for (const dialect of DIALECTS) {
    for (const [what, [streamed, script]] of Object.entries(ANSWERS)) {
      test(`${what} is the same as without TLS, byte for byte: ${dialect}`, async () => {
        const texts: string[] = [];
        for (const bench of [plain, secure]) {
          bench.upstream.play(script(dialect));
          const answer = await bench.post(PATHS[dialect], chatBody(streamed));
          assert.equal(answer.status, 200);
          texts.push(await answer.text());
        }
        assert.equal(texts[1], texts[0]);
      });
    }

    test(`a connection serves one call after the other: ${dialect}`, async () => {
      secure.upstream.play(answerWell);
      await (await secure.post(PATHS[dialect], chatBody(false))).text();
      const { connections } = secure.upstream;
      for (let call = 0; call < 5; call += 1)
        await (await secure.post(PATHS[dialect], chatBody(call % 2 === 0))).text();
      assert.equal(secure.upstream.connections, connections);
    });

    test(`a stream that is cut has not ended: ${dialect}`, async () => {
      const frames = framesOf(dialect, ['Hi', ' you']);
      secure.upstream.play(streamThen(frames.slice(0, 4), ({ socket }) => void socket.destroy()));
      const text = await (await secure.post(PATHS[dialect], chatBody(true))).text();
      assert.match(text, /Hi/);
      assert.match(text, /bad_gateway|api_error/);
      assert.equal(endsProperly(text), false);
    });

    test(`a caller that leaves closes the provider’s connection soon: ${dialect}`, async () => {
      secure.upstream.play(streamThen(framesOf(dialect, ['four']).slice(0, 3), () => undefined));
      const arrived = secure.upstream.nextExchange();
      const settled = secure.nextRecord();
      const reader = await StreamReader.open(secure.url, rawCall(secure, dialect, true));
      const exchange = await arrived;
      await reader.sees('four');
      const leftAt = reader.leave();
      const keptMs = (await exchange.closed) - leftAt;
      assert.ok(keptMs < CLOSED_SOON_MS, `${keptMs} ms`);
      assert.equal((await settled).ending, 'caller_left');
    });
  }

  test('a request of 3 MB arrives whole', async () => {
    secure.upstream.play(answerWell);
    const arrived = secure.upstream.nextExchange();
    const answer = await secure.post(PATHS['anthropic-messages'], chatBody(false, LARGE));
    assert.match(await answer.text(), /Hi you/);
    const { messages } = (await arrived).json as { messages: { content: string }[] };
    assert.equal(sha256(messages[0]?.content ?? ''), sha256(LARGE));
  });

  test('a caller that reads late pauses the provider meanwhile, and then gets everything', async () => {
    const pieces = Array<string>(600).fill(LARGE.slice(0, 50_000));
    secure.upstream.play(stream(openaiFrames(pieces)));
    const arrived = secure.upstream.nextExchange();
    const answer = await secure.post(PATHS['openai-chat'], chatBody(true));
    const { socket } = await arrived;
    await standstill(() => socket.bytesWritten, 200);
    assert.ok(socket.writableLength > 0, 'the provider was paused');
    const text = await answer.text();
    assert.equal(text.split(pieces[0] as string).length - 1, pieces.length);
    assert.ok(endsProperly(text));
  });
});

describe('a provider that cannot prove its identity', () => {
  before(() => trust('elsewhere', 'expired'));

  const CODES: Readonly<Partial<Record<CertificateName, string>>> = {
    unknown: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    elsewhere: 'ERR_TLS_CERT_ALTNAME_INVALID',
    expired: 'CERT_HAS_EXPIRED',
  };
  for (const [name, code] of Object.entries(CODES) as [CertificateName, string][]) {
    test(`gets no request, costs nothing, and the log says why: ${name}`, async () => {
      const bench = await openBenchWith(await startScriptedUpstream(answerWell, certificate(name)));
      try {
        for (const dialect of DIALECTS) {
          const settled = bench.nextRecord();
          const answer = await bench.post(PATHS[dialect], chatBody(true));
          assert.equal(answer.status, 502);
          const text = await answer.text();
          assert.match(text, /upstream_unreachable|could not be reached/);
          assert.doesNotMatch(text, new RegExp(code));
          assert.equal((await settled).charge, 0n);
        }
        assert.equal(bench.upstream.exchanges.length, 0);
        const lines = bench.log.filter((line) => line.includes('"msg":"call"'));
        assert.deepEqual(
          lines.map((line) => JSON.parse(line).connectionError),
          [code, code],
        );
      } finally {
        await bench.close();
      }
    });
  }

  test('can, if NODE_EXTRA_CA_CERTS names its authority', async () => {
    const upstream = await startScriptedUpstream(answerWell, certificate('unknown'));
    const server = await startServer(
      { providers: [scriptedProvider('scripted', upstream.origin)] },
      { NODE_EXTRA_CA_CERTS: certificateFile('unknown') },
    );
    try {
      const answer = await fetch(server.url + PATHS['openai-chat'], {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(chatBody(false)),
      });
      assert.match(await answer.text(), /Hi you/);
    } finally {
      await server.remove();
      await upstream.close();
    }
  });

  test('because it does not speak TLS is unreachable', async () => {
    const plain = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as { port: number };
    const gateway = await openGateway({ providers: [scriptedProvider('scripted', `https://127.0.0.1:${port}`)] });
    try {
      const answer = await gateway.post(PATHS['openai-chat'], chatBody(false));
      assert.equal(answer.status, 502);
      assert.equal(errorCode(await answer.json()), 'upstream_unreachable');
    } finally {
      await gateway.close();
      plain.close();
    }
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
