import { body, byLastItem, decodersOf, removed } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { nameRule } from '../base/param-rules.ts';
import {
  sandboxAttachmentListRule,
  sandboxForwardRule,
  sandboxInboxCreateRule,
  sandboxInboxRule,
  sandboxMessageListRule,
  sandboxReadRule,
} from './rules.ts';
import type {
  SandboxAttachment,
  SandboxForwardResult,
  SandboxHtmlAnalysis,
  SandboxMessage,
  SandboxMessageHeaders,
  SandboxSpamReport,
} from './message-types.ts';
import type { SandboxInbox, SandboxProject } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface SandboxResponses {
  sandboxAttachment: SandboxAttachment;
  sandboxAttachmentList: SandboxAttachment[];
  sandboxForwardResult: SandboxForwardResult;
  sandboxHtmlAnalysis: SandboxHtmlAnalysis;
  sandboxInbox: SandboxInbox;
  sandboxInboxList: SandboxInbox[];
  sandboxMessage: SandboxMessage;
  sandboxMessageHeaders: SandboxMessageHeaders;
  sandboxMessageList: SandboxMessage[];
  sandboxProject: SandboxProject;
  sandboxProjectList: SandboxProject[];
  sandboxSpamReport: SandboxSpamReport;
}

const { list, result } = decodersOf<SandboxResponses>();

/** Such a link gives access to the inbox. */
const signed = ['share_links'];
/** A project contains its inboxes, with their credentials. */
const inboxFacts = { credentials: ['username', 'password'], signed };
/** The service sends 409 if a message does not have the part. */
const ABSENT = 409;

/** The endpoints of `client.sandbox.projects`. */
export const projects = endpointsOf('sandbox.projects', () => {
  const projectFacts = { ...inboxFacts, alsoNamed: { inboxes: 'sandboxes' } };
  const project = result('sandboxProject', projectFacts);

  return {
    list: endpoint('GET {account}/projects', list('sandboxProjectList', projectFacts)),
    create: endpoint('POST {account}/projects', project, {
      params: nameRule(),
      wrapper: 'project',
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/projects/{id}', project),
    update: endpoint('PATCH {account}/projects/{id}', project, {
      params: nameRule(),
      wrapper: 'project',
      repeatable: 'sets the name to the value given; the second time it is that already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE {account}/projects/{id}', removed<Pick<SandboxProject, 'id'>>(inboxFacts)),
  };
});

/** The endpoints of `client.sandbox.inboxes`. */
export const inboxes = endpointsOf('sandbox.inboxes', () => {
  const inbox = result('sandboxInbox', inboxFacts);

  return {
    list: endpoint('GET {account}/{sandboxes|inboxes}', list('sandboxInboxList', inboxFacts)),
    create: endpoint('POST {account}/projects/{project}/{sandboxes|inboxes}', inbox, {
      params: sandboxInboxCreateRule(),
      wrapper: 'sandbox|inbox',
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/{sandboxes|inboxes}/{id}', inbox),
    update: endpoint('PATCH {account}/{sandboxes|inboxes}/{id}', inbox, {
      params: sandboxInboxRule(),
      wrapper: 'sandbox|inbox',
      repeatable: 'sets fields to the values given; the second time they have them already',
      reachesPeople: false,
    }),
    delete: endpoint(
      'DELETE {account}/{sandboxes|inboxes}/{id}',
      removed<Pick<SandboxInbox, 'id'>>(inboxFacts),
    ),
    clean: endpoint('PATCH {account}/{sandboxes|inboxes}/{id}/clean', inbox, {
      reachesPeople: false,
    }),
    markAllRead: endpoint('PATCH {account}/{sandboxes|inboxes}/{id}/all_read', inbox, {
      repeatable: 'sets one field of what is there; when exactly the service does so is open anyway',
      reachesPeople: false,
    }),
    resetCredentials: endpoint('PATCH {account}/{sandboxes|inboxes}/{id}/reset_credentials', inbox, {
      reachesPeople: false,
    }),
    toggleEmailAddress: endpoint('PATCH {account}/{sandboxes|inboxes}/{id}/toggle_email_username', inbox, {
      reachesPeople: false,
    }),
    resetEmailAddress: endpoint('PATCH {account}/{sandboxes|inboxes}/{id}/reset_email_username', inbox, {
      reachesPeople: false,
    }),
  };
});

/** The endpoints of `client.sandbox.messages`. */
export const messages = endpointsOf('sandbox.messages', () => {
  /** `page` selects only the first page: then the last message selects the next one. */
  const fromPage: typeof byLastItem = {
    ...byLastItem,
    next: (page) => {
      const next = byLastItem.next(page);
      return next && { ...next, page: undefined };
    },
  };
  const messageNames = { alsoNamed: { inbox_id: 'sandbox_id' } };
  const message = result('sandboxMessage', messageNames);

  return {
    list: endpoint(
      'GET {account}/{sandboxes|inboxes}/{inbox}/messages',
      list('sandboxMessageList', messageNames, fromPage),
      { params: sandboxMessageListRule() },
    ),
    get: endpoint('GET {account}/{sandboxes|inboxes}/{inbox}/messages/{id}', message),
    markRead: endpoint('PATCH {account}/{sandboxes|inboxes}/{inbox}/messages/{id}', message, {
      params: sandboxReadRule(),
      wrapper: 'message',
      repeatable: 'sets the mark to the value given; the second time it is that already',
      reachesPeople: false,
    }),
    delete: endpoint(
      'DELETE {account}/{sandboxes|inboxes}/{inbox}/messages/{id}',
      removed<Pick<SandboxMessage, 'id'>>(),
    ),
    forward: endpoint(
      'POST {account}/{sandboxes|inboxes}/{inbox}/messages/{id}/forward',
      result('sandboxForwardResult'),
      {
        params: sandboxForwardRule(),
        reachesPeople: { kind: 'address', field: 'email' },
      },
    ),
    spamReport: endpoint(
      'GET {account}/{sandboxes|inboxes}/{inbox}/messages/{id}/spam_report',
      result('sandboxSpamReport', { field: 'report' }),
    ),
    htmlAnalysis: endpoint(
      'GET {account}/{sandboxes|inboxes}/{inbox}/messages/{id}/analyze',
      result('sandboxHtmlAnalysis', { field: 'report' }),
    ),
    headers: endpoint(
      'GET {account}/{sandboxes|inboxes}/{inbox}/messages/{id}/mail_headers',
      result('sandboxMessageHeaders', { field: 'headers' }),
    ),
    text: endpoint('GET {account}/{sandboxes|inboxes}/{inbox}/messages/{id}/body.txt', body('text', ABSENT)),
    html: endpoint('GET {account}/{sandboxes|inboxes}/{inbox}/messages/{id}/body.html', body('text', ABSENT)),
    htmlSource: endpoint(
      'GET {account}/{sandboxes|inboxes}/{inbox}/messages/{id}/body.htmlsource',
      body('text', ABSENT),
    ),
    raw: endpoint('GET {account}/{sandboxes|inboxes}/{inbox}/messages/{id}/body.raw', body('text', ABSENT)),
    eml: endpoint('GET {account}/{sandboxes|inboxes}/{inbox}/messages/{id}/body.eml', body('bytes', ABSENT)),
  };
});

/** The endpoints of `client.sandbox.attachments`. */
export const attachments = endpointsOf('sandbox.attachments', () => ({
  list: endpoint(
    'GET {account}/{sandboxes|inboxes}/{inbox}/messages/{message}/attachments',
    list('sandboxAttachmentList', { signed: ['download_path'] }),
    { params: sandboxAttachmentListRule() },
  ),
  get: endpoint(
    'GET {account}/{sandboxes|inboxes}/{inbox}/messages/{message}/attachments/{id}',
    result('sandboxAttachment', { signed: ['download_path'] }),
  ),
}));
