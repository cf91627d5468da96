/** Chat in the browser, for a team. They list the models themselves: GET /api/v1/models. */
import { double, isLocal, shell, word } from './quote.ts';
import type { Tool } from './tool.ts';

/** https://docs.openwebui.com/getting-started/env-configuration */
export const openWebUi: Tool = {
  id: 'open-webui',
  name: 'Open WebUI',
  kind: 'app',
  documentation:
    'https://docs.openwebui.com/getting-started/quick-start/connect-a-provider/starting-with-openai-compatible/',
  intro: 'It lists all models that the key may call.',
  blocks: ({ origin, key }) => [
    {
      title: 'Shell',
      // On the host's own network the program takes the port itself: its own, 8080, may be the gateway's.
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
    `Then open http://localhost:3000. These settings count at its first start only; where it runs already, add ${origin}/api/v1 and the key under Admin Panel, Settings, Connections.${
      isLocal(origin) ? ' --network=host lets the container reach an address of this machine.' : ''
    }`,
};

/** https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/custom_endpoint */
export const libreChat: Tool = {
  id: 'librechat',
  name: 'LibreChat',
  kind: 'app',
  documentation: 'https://www.librechat.ai/docs/quick_start/custom_endpoints',
  intro: 'Both files stand in the folder of LibreChat. It lists all models that the key may call.',
  warning: ({ origin }) =>
    isLocal(origin)
      ? `Within a container ${origin} is the container itself. Let the gateway listen on an address that containers reach, and write that one.`
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
    `Without Docker, leave the last two out and start LibreChat again. ${shell('current_model')} writes the titles of chats with the chat’s own model.`,
};
