import { defineProvider } from './define-provider.ts';
import { awsSignature } from './signatures/aws-signature.ts';
import { awsEncode } from './signatures/sign-aws-request.ts';

/**
 * Amazon Bedrock: Converse for all models; callers of the Messages API are relayed to Claude's own interface there (InvokeModel).
 *
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export const bedrock = defineProvider({
  name: 'bedrock',
  displayName: 'Amazon Bedrock',
  origin: 'https://bedrock-runtime.{region}.amazonaws.com',
  options: {
    region: {
      isRequired: true,
      example: 'us-east-1',
      pattern: /^[a-z]{2,}(-[a-z]+)+-\d{1,2}$/,
      environment: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
    },
    credentialFrom: { isRequired: false, example: 'instance', pattern: /^(container|instance)$/, environment: [] },
  },
  routes: {
    'bedrock-converse': ({ operation, model, stream }) => {
      if (operation !== 'chat') return null;
      return {
        path: `/model/${awsEncode(model)}/${stream ? 'converse-stream' : 'converse'}`,
        framing: 'aws-event-stream',
      };
    },
    'anthropic-messages': ({ operation, model, stream }) => {
      if (operation !== 'chat' || !isClaude(model)) return null;
      return {
        path: `/model/${awsEncode(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
        framing: 'aws-event-stream-chunks',
      };
    },
  },
  exampleModels: { 'anthropic-messages': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' },
  modelsPath: null,
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListFoundationModels.html
  modelsAt: ({ region }) => ({
    origin: `https://bedrock.${region}.amazonaws.com`,
    path: '/foundation-models',
    query: '',
  }),
  signatures: { 'bedrock-converse': awsSignature, 'anthropic-messages': awsSignature },
  environmentVariable: 'AWS_BEARER_TOKEN_BEDROCK',
  // https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html
  credentialOfEnvironment({ read }) {
    const [id, secret] = [read('AWS_ACCESS_KEY_ID'), read('AWS_SECRET_ACCESS_KEY')];
    if (id === null || secret === null) return null;
    const token = read('AWS_SESSION_TOKEN');
    return token === null ? `${id}:${secret}` : `${id}:${secret}:${token}`;
  },
  quirks: { 'anthropic-messages': { cloud: 'bedrock' } },
  documentation: 'https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html',
});

/** `anthropic.claude-…`, also behind the prefix of a region, and in the name of an inference profile. */
function isClaude(model: string): boolean {
  return /(^|[./])anthropic\.claude-/.test(model);
}
