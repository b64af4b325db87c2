import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { batchSent, sent } from './results.ts';
import type { BatchResult, SendResult } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface SendingResponses {
  batchResult: BatchResult;
  sendResult: Pick<SendResult, 'success' | 'message_ids'>;
}

/** The endpoints of `client.sending`, by stream. */
export const sending = endpointsOf('sending', () => ({
  send: {
    transactional: endpoint('POST /api/send', sent, {
      host: 'send',
      reachesPeople: { kind: 'mail' },
    }),
    bulk: endpoint('POST /api/send', sent, {
      host: 'bulk',
      reachesPeople: { kind: 'mail' },
    }),
    sandbox: endpoint('POST /api/send/{sandbox_inbox_id}', sent, {
      host: 'sandbox',
      reachesPeople: false,
    }),
  },
  batch: {
    transactional: endpoint('POST /api/batch', batchSent, {
      host: 'send',
      reachesPeople: { kind: 'mails' },
    }),
    bulk: endpoint('POST /api/batch', batchSent, {
      host: 'bulk',
      reachesPeople: { kind: 'mails' },
    }),
    sandbox: endpoint('POST /api/batch/{sandbox_inbox_id}', batchSent, {
      host: 'sandbox',
      reachesPeople: false,
    }),
  },
}));
