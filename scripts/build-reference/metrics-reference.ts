/** Turnpike's own metrics, read from what `/metrics` would show after one call of each kind. */
import { openaiChat } from '../../src/dialects/openai-chat/openai-chat.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { code, codeList, markdownTable } from './markdown-table.ts';

export async function metricsReference(): Promise<string> {
  const text = await exampleText();
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const rows = [...text.matchAll(/^# HELP (\S+) (.+)$/gm)]
    .map(([, name = '', help = '']) => ({ name, help }))
    .filter(({ name }) => !/^turnpike_(process|nodejs)_/.test(name));
  return markdownTable(
    ['metric', 'type', 'labels', 'what it says'],
    rows.map(({ name, help }) => [code(name), types.get(name) ?? '', codeList(labelsOf(name, text)), help]),
  );
}

async function exampleText(): Promise<string> {
  const connections = new Map([['https://provider.example', 1]]);
  const shed = new Map([['in_flight', 0]]);
  const metrics = new Metrics({
    running: { count: 0, max: 0, arriving: 0, waiting: 0, load: { view: { admittedPart: 1, memoryUse: 0, shed } } },
    connections: { open: 0, max: 0, refused: 0 },
    upstream: { connections: () => connections },
    memory: { used: 0, bytesMax: 1 },
    responseCache: { bytes: 0, recordingBytes: 0, bytesMax: 1 },
  });
  metrics.callFinished({
    dialect: openaiChat.name,
    provider: 'provider',
    model: 'vendor/model',
    ending: 'complete',
    status: 200,
    errorCode: null,
    durationMs: 1,
    firstByteMs: 1,
    inputTokens: 1,
    outputTokens: 1,
    costUsd: 0,
  });
  metrics.errorAnswered(openaiChat.name, 'not_found');
  metrics.cacheAsked('hit');
  metrics.alert('settle_failed');
  metrics.providerAlert('provider_dead', 'provider');
  const pace = { firstTokenMs: 1, firstTokenP95Ms: 1, tokensPerSecond: 1 };
  metrics.showTargets(() => [{ provider: 'provider', model: 'vendor/model', pace, isResting: false }]);
  // With a database only.
  metrics.showNode(() => ({ feedLagMs: 0, unsentCalls: 0, unsentMs: 0, lentNano: 0n, liveNodes: 1, maySpend: true }));
  const text = await metrics.text();
  metrics.close();
  return text;
}

/** The bounds of a histogram's buckets (`le`) are not our label. */
function labelsOf(name: string, text: string): string[] {
  const labels = new Set<string>();
  for (const [, pairs = ''] of text.matchAll(new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} `, 'gm')))
    for (const [, label = ''] of pairs.matchAll(/(\w+)="/g)) if (label !== 'le') labels.add(label);
  return [...labels];
}
