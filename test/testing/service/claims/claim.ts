import type { Emulator } from 'email-platform/testing';
import { expect } from 'vitest';
import { mail, type Asked } from '../../../spec/quotes/quote.ts';

/** A sentence or a row of docs/trust/fidelity.md, and its test. */
export interface Claim {
  readonly text: string;
  readonly prove: (service: Asked) => Promise<void>;
  readonly options: Emulator.Options;
}

export type Prove = Claim['prove'];

export const claim = (text: string, prove: Prove, options: Emulator.Options = {}): Claim => ({
  text,
  prove,
  options,
});

export const send = ({ call }: Asked, fields: object = {}, host = 'send') =>
  call(`POST ${host} /api/send`, { ...mail, ...fields });
/** The newest email. */
export const sent = async (service: Asked, fields: object = {}, host = 'send') => {
  expect((await send(service, fields, host)).status).toBe(200);
  return service.emulator.messages().at(-1);
};
/** The log's message to a recipient, an hour later. */
export const logged = async (service: Asked, name: string, fields: object = {}, host = 'send') => {
  const { value } = await send(service, { to: [{ email: `${name}@example.org` }], ...fields }, host);
  service.emulator.clock.advance(3_600_000);
  const [id = ''] = (value as { message_ids: string[] }).message_ids;
  const { value: found } = await service.call(`GET /api/email_logs/${id}`);
  return found as {
    status: string;
    events: { event_type: string; details: Record<string, unknown> }[];
  };
};
export const typesOf = async (service: Asked, name: string) => {
  const { status, events } = await logged(service, name);
  return [status, ...events.map(({ event_type }) => event_type)];
};
export const SUPPRESSION = { email: 'ann@example.org', domain_id: 301, sending_stream: 'transactional' };
/** What a template renders: the plain text of the email. */
export const rendered = async (
  service: Asked,
  template: string,
  variables: object = {},
  part = 'body_text',
) => {
  const { value } = await service.call('POST /api/email_templates', {
    email_template: { name: 'n', subject: 's', category: 'c', [part]: template },
  });
  const { status } = await service.call('POST send /api/send', {
    from: mail.from,
    to: mail.to,
    template_uuid: (value as { uuid: string }).uuid,
    template_variables: variables,
  });
  const message = service.emulator.messages().at(-1);
  return status === 200 ? (part === 'body_text' ? message?.text : message?.html) : status;
};
export const renders =
  (template: string, variables: object, expected: string): Prove =>
  async (service) =>
    expect(await rendered(service, template, variables)).toBe(expected);
/** A token without the right to send. */
export const powerless = ({ emulator }: Asked) => ({
  token: emulator.createToken({ permissions: { sending: 'none', sandbox: 'none' } }),
});
export const ONE = { requests: 1, perMs: 60_000 };
export const oneRequest = (pool: string) => ({ limits: { [pool]: ONE } });
export const twice = async ({ call }: Asked, line: string, body?: object) => {
  await call(line, body);
  return call(line, body);
};
export const HOSTS = ['send /api/send', 'bulk /api/send', 'sandbox /api/send/2001'];
export const TEXT = expect.any(String) as unknown;
export const BOTH = expect.objectContaining({ error: TEXT, errors: expect.any(Array) as unknown }) as unknown;
export const CAMPAIGN = '/api/email_campaigns';
export const campaign = async ({ call }: Asked, template: object = {}) => {
  const { id } = await call(`POST ${CAMPAIGN}`, {
    ...{ name: 'Spring', domain_id: 301, from_local_part: 'news', contact_list_ids: [7] },
    template_attributes: { subject: 'Hello', body_html: '<p>Hello</p>', ...template },
  });
  return `${CAMPAIGN}/${id}`;
};
/** An inbox at a domain of the account, which receives email. */
export const ownInbox = async ({ call }: Asked) => {
  await call('PATCH /api/domains/301', { domain: { inbound_enabled: true } });
  const { id: folder } = await call('POST /api/inbound/folders', { name: 'f' });
  return call(`POST /api/inbound/folders/${folder}/inboxes`, { name: 'Own', domain_id: 301 });
};
