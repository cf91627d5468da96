/** Chat apps in the browser, for teams. They fetch the list of models themselves: GET /api/v1/models. */
import { double, isLocal, shell, word } from './quote.ts';
import type { Tool } from './tool.ts';

/** https://docs.openwebui.com/getting-started/env-configuration */
export const openWebUi: Tool = {
  id: 'open-webui',
  name: 'Open WebUI',
  kind: 'app',
  documentation:
    'https://docs.openwebui.com/getting-started/quick-start/connect-a-provider/starting-with-openai-compatible/',
  intro: 'It lists every model that the key may use.',
  blocks: ({ origin, key }) => [
    {
      title: 'Shell',
      // On the host network the container binds its own port: the default, 8080, may be taken by the gateway.
      code: [
        'docker run -d --name open-webui --restart always',
        isLocal(origin) ? '--network=host -e PORT=3000' : '-p 3000:8080',
        '-v open-webui:/app/backend/data',
        `-e OPENAI_API_BASE_URL=${word(`${origin}/api/v1`)}`,
        `-e OPENAI_API_KEY=${word(key)}`,
        '-e ENABLE_OLLAMA_API=false',
        'ghcr.io/open-webui/open-webui:main',
      ].join(' \\\n  '),
    },
  ],
  notes: ({ origin }) =>
    `Then open http://localhost:3000. These settings apply on first start only. If it is already running, add ${origin}/api/v1 and the key under Admin Panel > Settings > Connections.${
      isLocal(origin) ? ' --network=host lets the container reach addresses on this machine.' : ''
    }`,
};

/** https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/custom_endpoint */
export const libreChat: Tool = {
  id: 'librechat',
  name: 'LibreChat',
  kind: 'app',
  documentation: 'https://www.librechat.ai/docs/quick_start/custom_endpoints',
  intro: 'Put both files in the LibreChat folder. It lists every model that the key may use.',
  warning: ({ origin }) =>
    isLocal(origin)
      ? `Inside a container, ${origin} is the container itself. Make the gateway listen on an address that containers can reach, and use that address.`
      : null,
  blocks: ({ origin, key, model }) => [
    {
      title: 'librechat.yaml',
      code: `version: 1.3.17
endpoints:
  custom:
    - name: "Turnpike"
      apiKey: "\${TURNPIKE_KEY}"
      baseURL: ${double(`${origin}/api/v1`)}
      models:
        default: [${double(model)}]
        fetch: true
      titleConvo: true
      titleModel: "current_model"
      modelDisplayLabel: "Turnpike"`,
    },
    { title: '.env', code: `TURNPIKE_KEY=${word(key)}` },
    {
      title: 'docker-compose.override.yml',
      code: `services:
  api:
    volumes:
      - type: bind
        source: ./librechat.yaml
        target: /app/librechat.yaml`,
    },
    { title: 'Shell', code: 'docker compose up -d --force-recreate api' },
  ],
  notes: () =>
    `Without Docker, skip the last two and restart LibreChat. ${shell('current_model')} generates chat titles with the model of the chat.`,
};
