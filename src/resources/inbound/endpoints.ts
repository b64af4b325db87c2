import { byLastId, decodersOf, nothing } from '../decoders.ts';
import { endpoint, endpointsOf } from '../endpoint.ts';
import { nameRule } from '../param-rules.ts';
import { sent } from '../sending/send-results.ts';
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

/** What these endpoints return, by the name of its schema. */
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

const folder = result('inboundFolder');
const inbox = result('inboundInbox');
const rule = result('forwardRule', { field: 'data' });
/** Whoever knows these addresses can fetch the message and its attachments. */
const signed = ['raw_message_url', 'download_url'];
const reply = { ...sent, schema: 'inboundSendResult' };

/** The endpoints of `client.inbound.folders`. */
export const folders = endpointsOf('inbound.folders', {
  list: endpoint('GET /api/inbound/folders', list('inboundFolderList'), { source: 'referenced, recorded' }),
  create: endpoint('POST /api/inbound/folders', folder, {
    source: 'referenced, recorded',
    params: inboundFolderRule,
    reachesPeople: false,
  }),
  get: endpoint('GET /api/inbound/folders/{id}', folder, { source: 'referenced, recorded' }),
  update: endpoint('PATCH /api/inbound/folders/{id}', folder, {
    source: 'referenced, recorded',
    params: inboundFolderRule,
    repeatable: 'sets the name to the value given; the second time it is that already',
    reachesPeople: false,
  }),
  delete: endpoint('DELETE /api/inbound/folders/{id}', nothing, { source: 'referenced, recorded' }),
});

/** The endpoints of `client.inbound.inboxes`. */
export const inboxes = endpointsOf('inbound.inboxes', {
  list: endpoint('GET /api/inbound/folders/{folderId}/inboxes', list('inboundInboxList'), {
    source: 'referenced, recorded',
  }),
  create: endpoint('POST /api/inbound/folders/{folderId}/inboxes', inbox, {
    source: 'referenced, recorded',
    params: inboundInboxCreateRule,
    reachesPeople: false,
  }),
  get: endpoint('GET /api/inbound/folders/{folderId}/inboxes/{id}', inbox, {
    source: 'referenced, recorded',
  }),
  update: endpoint('PATCH /api/inbound/folders/{folderId}/inboxes/{id}', inbox, {
    source: 'referenced, recorded',
    params: nameRule,
    repeatable: 'sets the name to the value given; the second time it is that already',
    reachesPeople: false,
  }),
  delete: endpoint('DELETE /api/inbound/folders/{folderId}/inboxes/{id}', nothing, {
    source: 'referenced, recorded',
  }),
});

/** The endpoints of `client.inbound.messages`. */
export const messages = endpointsOf('inbound.messages', {
  list: endpoint(
    'GET /api/inbound/inboxes/{inboxId}/messages',
    list('inboundMessagePage', { field: 'data', signed }, byLastId),
    { source: 'referenced, recorded', params: inboundListRule },
  ),
  get: endpoint(
    'GET /api/inbound/inboxes/{inboxId}/messages/{messageId:text}',
    result('inboundMessageDetails', { signed }),
    { source: 'referenced, recorded' },
  ),
  delete: endpoint('DELETE /api/inbound/inboxes/{inboxId}/messages/{messageId:text}', nothing, {
    source: 'referenced, recorded',
  }),
  reply: endpoint('POST /api/inbound/inboxes/{inboxId}/messages/{messageId:text}/reply', reply, {
    source: 'referenced, recorded',
    params: replyRule,
    reachesPeople: { kind: 'mail', fillsIn: ['to'] },
  }),
  replyAll: endpoint('POST /api/inbound/inboxes/{inboxId}/messages/{messageId:text}/reply_all', reply, {
    source: 'referenced, recorded',
    params: replyRule,
    reachesPeople: { kind: 'mail', fillsIn: ['to', 'cc'] },
  }),
  forward: endpoint('POST /api/inbound/inboxes/{inboxId}/messages/{messageId:text}/forward', reply, {
    source: 'referenced, recorded',
    params: forwardRule,
    reachesPeople: { kind: 'mail' },
  }),
});

/** The endpoints of `client.inbound.threads`. */
export const threads = endpointsOf('inbound.threads', {
  list: endpoint(
    'GET /api/inbound/inboxes/{inboxId}/threads',
    list('inboundThreadPage', { field: 'data', signed }, byLastId),
    { source: 'referenced, recorded', params: threadListRule },
  ),
  get: endpoint(
    'GET /api/inbound/inboxes/{inboxId}/threads/{threadId:text}',
    result('inboundThread', { signed }),
    {
      source: 'referenced, recorded',
    },
  ),
  delete: endpoint('DELETE /api/inbound/inboxes/{inboxId}/threads/{threadId:text}', nothing, {
    source: 'referenced, recorded',
  }),
});

/** The endpoints of `client.inbound.forwardRules`. */
export const forwardRules = endpointsOf('inbound.forwardRules', {
  list: endpoint(
    'GET /api/inbound/inboxes/{inboxId}/forward_rules',
    list('forwardRulePage', { field: 'data' }),
    { source: 'referenced, recorded' },
  ),
  create: endpoint('POST /api/inbound/inboxes/{inboxId}/forward_rules', rule, {
    source: 'referenced, recorded',
    params: forwardRuleCreateRule,
    reachesPeople: { kind: 'addresses', field: 'destinations' },
  }),
  get: endpoint('GET /api/inbound/inboxes/{inboxId}/forward_rules/{id}', rule, {
    source: 'referenced, recorded',
  }),
  update: endpoint('PATCH /api/inbound/inboxes/{inboxId}/forward_rules/{id}', rule, {
    source: 'referenced, recorded',
    params: forwardRuleUpdateRule,
    reachesPeople: { kind: 'addresses', field: 'destinations', standing: true },
    repeatable: 'sets fields to the values given; the second time they have them already',
  }),
  delete: endpoint('DELETE /api/inbound/inboxes/{inboxId}/forward_rules/{id}', nothing, {
    source: 'referenced, recorded',
  }),
});
