import { decodersOf, nothing } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { withKindsIn } from '../base/resource-kinds.ts';
import { tokenCreateRule, tokenResetRule } from './rules.ts';
import type { ApiToken, NewApiToken } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface ApiTokenResponses {
  apiToken: ApiToken;
  apiTokenList: ApiToken[];
  newApiToken: NewApiToken;
}

const { list, result } = decodersOf<ApiTokenResponses>();

/** The endpoints of `client.apiTokens`. */
export const apiTokens = endpointsOf('apiTokens', () => {
  const apiToken = result('apiToken');
  /** A new token needs its value in the result: the service shows it only once. */
  const newToken = result('newApiToken', { needs: { token: 'string' }, secrets: ['token'] });

  return {
    list: endpoint('GET {account}/api_tokens', list('apiTokenList')),
    create: endpoint('POST {account}/api_tokens', newToken, {
      params: tokenCreateRule(),
      encode: withKindsIn('resources'),
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/api_tokens/{id}', apiToken),
    delete: endpoint('DELETE {account}/api_tokens/{id}', nothing),
    reset: endpoint('POST {account}/api_tokens/{id}/reset', newToken, {
      params: tokenResetRule(),
      reachesPeople: false,
    }),
  };
});
