import { defineProvider } from '../../define-provider.ts';
import { awsSignature } from '../../signatures/aws-signature.ts';
import { awsEncode } from '../../signatures/sign-aws-request.ts';

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
      if (operation === 'count_tokens')
        return isClaude(model) ? { path: `/model/${awsEncode(baseModel(model))}/count-tokens` } : null;
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
  offers: (name, names, { region }) => isOffered(name, names, region ?? ''),
  // A model called without a profile costs what it does by that of its region, or by another geography's if the catalogue lacks that.
  pricedAs(name, names, { region }) {
    if (PROFILE.test(name)) return name;
    const own = names.find((each) => isOffered(each, names, region ?? ''));
    return own ?? names.find((each) => GEOGRAPHIC.test(each)) ?? name;
  },
  documentation: 'https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html',
});

/**
 * Among the names of one model, the inference profile of the region's geography; if there is no profile at all, the model itself. Never
 * `global.`: where a request is processed is for the operator to say.
 *
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html
 */
function isOffered(name: string, names: readonly string[], region: string): boolean {
  const profile = geographiesOf(region).find((geography) => names.some((each) => each.startsWith(`${geography}.`)));
  if (profile !== undefined) return name.startsWith(`${profile}.`);
  return !names.some((each) => PROFILE.test(each));
}

const PROFILE = /^(us|us-gov|ca|eu|apac|au|jp|global)\./;
const GEOGRAPHIC = /^(us|ca|eu|apac|au|jp)\./;

/** The prefixes of profiles that can be called in a region, the narrowest first. */
function geographiesOf(region: string): readonly string[] {
  if (/^ap-southeast-[24]$/.test(region)) return ['au', 'apac'];
  if (/^ap-northeast-[13]$/.test(region)) return ['jp', 'apac'];
  if (region.startsWith('ap-')) return ['apac'];
  if (region.startsWith('us-gov-')) return ['us-gov'];
  if (region.startsWith('ca-')) return ['ca', 'us'];
  return [region.slice(0, 2)];
}

/**
 * The name without a region and an inference profile, by which Bedrock counts tokens; it does so only for Claude.
 *
 * https://docs.aws.amazon.com/bedrock/latest/userguide/count-tokens.html
 */
function baseModel(model: string): string {
  return model.slice(model.lastIndexOf('anthropic.claude-'));
}

/** `anthropic.claude-…`, also behind the prefix of a region, and in the name of an inference profile. */
function isClaude(model: string): boolean {
  return /(^|[./])anthropic\.claude-/.test(model);
}
