import { decodersOf } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import type { RequestContext } from '../../core/request.ts';
import type { Paging } from '../../core/pager.ts';
import type { EmailLogListParams } from './filter-types.ts';
import { emailLogListRule } from './rules.ts';
import type { EmailLogMessageDetails, EmailLogPage } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface EmailLogResponses {
  emailLogMessageDetails: EmailLogMessageDetails;
  emailLogPage: EmailLogPage;
}

const { list, result } = decodersOf<EmailLogResponses>();

/** The id of the domain has another name in responses under an account. */
const alsoNamed = { domain_id: 'sending_domain_id' };

const byCursor: Paging<EmailLogPage> = {
  next: ({ next_page_cursor }) => (next_page_cursor ? { search_after: next_page_cursor } : undefined),
};

/** Under an account the filter by domain has another name. The service ignores the unknown name, so both are sent. */
const logQuery = ({ filters, ...others }: EmailLogListParams, { accountIdOfCall }: RequestContext) => ({
  filters: { ...filters, ...(accountIdOfCall !== undefined && { sending_domain_id: filters?.domain_id }) },
  ...others,
});

/** The endpoints of `client.emailLogs`. */
export const emailLogs = endpointsOf('emailLogs', () => ({
  list: endpoint(
    'GET {account?}/email_logs',
    list('emailLogPage', { field: 'messages', alsoNamed }, byCursor),
    {
      params: emailLogListRule(),
      encode: logQuery,
    },
  ),
  get: endpoint(
    'GET {account?}/email_logs/{messageId:uuid}',
    result('emailLogMessageDetails', { alsoNamed, signed: ['raw_message_url'], written: ['click_url'] }),
  ),
}));
