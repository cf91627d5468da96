/** The routes that list models and providers, in OpenRouter's shape. */
import { CALL_ERRORS, type Parameter, type Route } from './openapi-route.ts';
import {
  CLIENT_VERSION,
  countInQuery,
  inQuery,
  modelInPath,
  OPENROUTER,
  PAGE_ERRORS,
  READ,
} from './openapi-route-parts.ts';

const price = (name: string, what: string) => inQuery(name, `${what}, USD per million tokens, as a plain decimal.`);
const yesOrNo = { type: 'string', enum: ['true', 'false'] };

const FILTERS: readonly Parameter[] = [
  inQuery('q', 'Part of an id or name.'),
  inQuery('supported_parameters', 'Comma-separated: models that support all of these parameters.'),
  inQuery('input_modalities', 'Comma-separated: models that accept all of these input types.'),
  inQuery('output_modalities', 'Comma-separated: models that produce all of these output types.'),
  countInQuery('context', 'The least context window, in tokens.', 1),
  price('min_price', 'The least price of the prompt'),
  price('max_price', 'The highest price of the prompt'),
  price('min_output_price', 'The least price of the output'),
  price('max_output_price', 'The highest price of the output'),
  inQuery('free', 'Whether the model costs nothing at all.', yesOrNo),
  inQuery('providers', 'Comma-separated: models that one of these providers serves.'),
  inQuery('model_authors', 'Comma-separated: models whose id begins with one of these names and a slash.'),
  inQuery('zdr', 'true: models with a provider that keeps nothing, as the operator states.', yesOrNo),
];

const inPath = (name: string, description: string): Parameter => ({
  ...modelInPath(name),
  description,
});

export const modelRoutes: readonly Route[] = [
  {
    ...READ,
    path: '/api/v1/models',
    operationId: 'listModels',
    summary: "Models this key may use, in OpenRouter's shape",
    parameters: [
      ...FILTERS,
      inQuery('sort', 'The order; by id if absent. What is not known comes last.', {
        type: 'string',
        enum: ['pricing-low-to-high', 'pricing-high-to-low', 'context-high-to-low', 'newest', 'name'],
      }),
      countInQuery('offset', 'Number of models to skip.', 0),
      countInQuery('limit', 'Maximum number of models; default: all.', 1, 10_000),
      CLIENT_VERSION,
    ],
    answer: { description: 'The models.', schema: 'ModelList' },
    errors: PAGE_ERRORS,
  },
  {
    ...OPENROUTER,
    path: '/api/v1/models/count',
    operationId: 'countModels',
    summary: 'How many models this key may use, with the filters of the list',
    parameters: FILTERS,
    answer: { description: 'The count.', schema: 'ModelCount' },
    errors: PAGE_ERRORS,
  },
  {
    ...OPENROUTER,
    path: '/api/v1/models/{author}/{slug}/endpoints',
    operationId: 'listEndpoints',
    summary: 'Where a model is served: prices, limits, uptime and speed of each provider',
    parameters: [
      inPath('author', 'What comes before the slash of the id.'),
      inPath('slug', 'What comes after it. For an alias, the path has one part less.'),
    ],
    answer: { description: 'The endpoints, in the order in which they are tried.', schema: 'EndpointList' },
    errors: { '404': CALL_ERRORS['404'] },
  },
  {
    ...OPENROUTER,
    path: '/api/v1/providers',
    operationId: 'listServingProviders',
    summary: 'The providers that serve models which this key may use',
    answer: { description: 'The providers.', schema: 'ProviderList' },
  },
  {
    ...OPENROUTER,
    path: '/api/v1/model/{id}',
    operationId: 'getModel',
    summary: "A model this key may use, in OpenRouter's shape",
    parameters: [modelInPath('id')],
    answer: { description: 'The model.', schema: 'ModelInData' },
    errors: { '404': CALL_ERRORS['404'] },
  },
  {
    method: 'get',
    needsKey: false,
    path: '/api/public/models',
    operationId: 'listShownModels',
    summary: 'The models as visitors see them, if the operator shows them',
    answer: { description: 'The models, with prices in USD per million tokens.', schema: 'ShownModelList' },
    errors: { '404': 'This installation shows no models to visitors.' },
  },
];
