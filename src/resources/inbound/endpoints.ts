import { byLastId, decodersOf, nothing } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { nameRule } from '../base/param-rules.ts';
import { sent } from '../sending/results.ts';
import {
  forwardRule,
  forwardRuleCreateRule,
  forwardRuleUpdateRule,
  inboundFolderRule,
  inboundInboxCreateRule,
  inboundListRule,
  replyRule,
  threadListRule,
} from './rules.ts';
import type {
  InboundMessageDetails,
  InboundMessagePage,
  InboundThread,
  InboundThreadPage,
} from './mail-types.ts';
import type { ForwardRule, ForwardRulePage, InboundFolder, InboundInbox } from './types.ts';
import type { SendResult } from '../sending/types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface InboundResponses {
  forwardRule: ForwardRule;
  forwardRulePage: ForwardRulePage;
  inboundFolder: InboundFolder;
  inboundFolderList: InboundFolder[];
  inboundInbox: InboundInbox;
  inboundInboxList: InboundInbox[];
  inboundMessageDetails: InboundMessageDetails;
  inboundMessagePage: InboundMessagePage;
  inboundSendResult: Pick<SendResult, 'message_ids'>;
  inboundThread: InboundThread;
  inboundThreadPage: InboundThreadPage;
}

const { list, result } = decodersOf<InboundResponses>();

/** These addresses give access to the message and its attachments. */
const signed = ['raw_message_url', 'download_url'];

/** The endpoints of `client.inbound.folders`. */
export const folders = endpointsOf('inbound.folders', () => {
  const folder = result('inboundFolder');

  return {
    list: endpoint('GET /api/inbound/folders', list('inboundFolderList')),
    create: endpoint('POST /api/inbound/folders', folder, {
      params: inboundFolderRule(),
      reachesPeople: false,
    }),
    get: endpoint('GET /api/inbound/folders/{id}', folder),
    update: endpoint('PATCH /api/inbound/folders/{id}', folder, {
      params: inboundFolderRule(),
      repeatable: 'sets the name to the value given; the second time it is that already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE /api/inbound/folders/{id}', nothing),
  };
});

/** The endpoints of `client.inbound.inboxes`. */
export const inboxes = endpointsOf('inbound.inboxes', () => {
  const inbox = result('inboundInbox');

  return {
    list: endpoint('GET /api/inbound/folders/{folderId}/inboxes', list('inboundInboxList')),
    create: endpoint('POST /api/inbound/folders/{folderId}/inboxes', inbox, {
      params: inboundInboxCreateRule(),
      reachesPeople: false,
    }),
    get: endpoint('GET /api/inbound/folders/{folderId}/inboxes/{id}', inbox),
    update: endpoint('PATCH /api/inbound/folders/{folderId}/inboxes/{id}', inbox, {
      params: nameRule(),
      repeatable: 'sets the name to the value given; the second time it is that already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE /api/inbound/folders/{folderId}/inboxes/{id}', nothing),
  };
});

/** The endpoints of `client.inbound.messages`. */
export const messages = endpointsOf('inbound.messages', () => {
  const reply = { ...sent, schema: 'inboundSendResult' };

  return {
    list: endpoint(
      'GET /api/inbound/inboxes/{inboxId}/messages',
      list('inboundMessagePage', { field: 'data', signed }, byLastId),
      { params: inboundListRule() },
    ),
    get: endpoint(
      'GET /api/inbound/inboxes/{inboxId}/messages/{messageId:text}',
      result('inboundMessageDetails', { signed }),
    ),
    delete: endpoint('DELETE /api/inbound/inboxes/{inboxId}/messages/{messageId:text}', nothing),
    reply: endpoint('POST /api/inbound/inboxes/{inboxId}/messages/{messageId:text}/reply', reply, {
      params: replyRule(),
      reachesPeople: { kind: 'mail', fillsIn: ['to'] },
    }),
    replyAll: endpoint('POST /api/inbound/inboxes/{inboxId}/messages/{messageId:text}/reply_all', reply, {
      params: replyRule(),
      reachesPeople: { kind: 'mail', fillsIn: ['to', 'cc'] },
    }),
    forward: endpoint('POST /api/inbound/inboxes/{inboxId}/messages/{messageId:text}/forward', reply, {
      params: forwardRule(),
      reachesPeople: { kind: 'mail' },
    }),
  };
});

/** The endpoints of `client.inbound.threads`. */
export const threads = endpointsOf('inbound.threads', () => ({
  list: endpoint(
    'GET /api/inbound/inboxes/{inboxId}/threads',
    list('inboundThreadPage', { field: 'data', signed }, byLastId),
    { params: threadListRule() },
  ),
  get: endpoint(
    'GET /api/inbound/inboxes/{inboxId}/threads/{threadId:text}',
    result('inboundThread', { signed }),
  ),
  delete: endpoint('DELETE /api/inbound/inboxes/{inboxId}/threads/{threadId:text}', nothing),
}));

/** The endpoints of `client.inbound.forwardRules`. */
export const forwardRules = endpointsOf('inbound.forwardRules', () => {
  const rule = result('forwardRule', { field: 'data' });

  return {
    list: endpoint(
      'GET /api/inbound/inboxes/{inboxId}/forward_rules',
      list('forwardRulePage', { field: 'data' }),
    ),
    create: endpoint('POST /api/inbound/inboxes/{inboxId}/forward_rules', rule, {
      params: forwardRuleCreateRule(),
      reachesPeople: { kind: 'addresses', field: 'destinations' },
    }),
    get: endpoint('GET /api/inbound/inboxes/{inboxId}/forward_rules/{id}', rule),
    update: endpoint('PATCH /api/inbound/inboxes/{inboxId}/forward_rules/{id}', rule, {
      params: forwardRuleUpdateRule(),
      reachesPeople: { kind: 'addresses', field: 'destinations', standing: true },
      repeatable: 'sets fields to the values given; the second time they have them already',
    }),
    delete: endpoint('DELETE /api/inbound/inboxes/{inboxId}/forward_rules/{id}', nothing),
  };
});
