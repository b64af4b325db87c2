import type { ApiPromise, EmailPlatform, Pager } from 'email-platform';
import type { Same } from './same.ts';

const fields = { name: 'Welcome', subject: 'Hello {{name}}', category: 'onboarding' };

export async function templates({ templates }: EmailPlatform): Promise<unknown[]> {
  const made = await templates.create({ ...fields, body_html: '<p></p>', body_text: null });
  const changed = await templates.update(made.id, { subject: 'Hi' }, { accountId: 1, priority: 'low' });
  const pager = templates.list();
  const page = await pager;
  const checks: [
    Same<typeof made, EmailPlatform.Template>,
    Same<typeof changed, EmailPlatform.Template>,
    Same<typeof made.id, number>,
    Same<typeof made.uuid, string>,
    Same<typeof made.body_html, string | null>,
    Same<typeof pager, Pager<EmailPlatform.Template>>,
    Same<typeof page, EmailPlatform.Page<EmailPlatform.Template>>,
    Same<ReturnType<typeof templates.delete>, ApiPromise<void>>,
  ] = [true, true, true, true, true, true, true, true];
  // @ts-expect-error there may be no design
  const html: string = made.body_html;
  return [...checks, html, await templates.get(made.id), await templates.update(1, {})];
}

export const wrongTemplates = ({ templates }: EmailPlatform): unknown[] => [
  // @ts-expect-error a category is required
  templates.create({ name: 'Welcome', subject: 'Hello' }),
  // @ts-expect-error a subject is a string
  templates.create({ ...fields, subject: null }),
  // @ts-expect-error the SDK adds the wrapper
  templates.create({ email_template: fields }),
  // @ts-expect-error wire names are in snake case
  templates.create({ ...fields, bodyHtml: '<p></p>' }),
  // @ts-expect-error the service assigns the uuid
  templates.update(1, { uuid: 'b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77' }),
  // @ts-expect-error an id is a number; its UUID is for sending with it
  templates.get('b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77'),
  // @ts-expect-error the parameters are required
  templates.update(1),
  // @ts-expect-error there is nothing to filter by
  templates.list({ search: 'Welcome' }),
];

export async function domains({ sendingDomains }: EmailPlatform): Promise<unknown[]> {
  const made = await sendingDomains.create({ domain_name: 'news.example.com' });
  const changed = await sendingDomains.update(made.id, { click_tracking_enabled: false });
  const pager = sendingDomains.list({ accountId: 1 });
  const page = await pager;
  const verified = sendingDomains.waitUntilVerified(made.id, {
    pollMs: 1000,
    deadlineMs: 60_000,
    onProgress: (domain) => domain.dns_records.length.toFixed(),
  });
  const setup = sendingDomains.sendSetupInstructions(made.id, { email: 'admin@example.com' });
  const checks: [
    Same<typeof made, EmailPlatform.SendingDomain>,
    Same<typeof changed, EmailPlatform.SendingDomain>,
    Same<typeof made.dns_verified, boolean>,
    Same<typeof made.dns_records, EmailPlatform.DnsRecord[]>,
    Same<typeof made.compliance_status, EmailPlatform.ComplianceStatus>,
    Same<EmailPlatform.DnsRecord['status'], EmailPlatform.DnsRecordStatus | null | undefined>,
    Same<typeof pager, Pager<EmailPlatform.SendingDomain, EmailPlatform.SendingDomainPage>>,
    Same<typeof page.data, EmailPlatform.SendingDomain[]>,
    Same<typeof verified, Promise<EmailPlatform.SendingDomain>>,
    Same<typeof setup, ApiPromise<void>>,
  ] = [true, true, true, true, true, true, true, true, true, true];
  const known: EmailPlatform.ComplianceStatus[] = ['under_review', 'awaiting_questionnaire', 'compliant'];
  const status: EmailPlatform.DnsRecordStatus[] = [
    'pass',
    'fail',
    'unchecked',
    'a status the service has added since',
  ];
  const isVerified: boolean = sendingDomains.isVerified({ dns_records: [], dns_verified: true });
  // @ts-expect-error a record may lack its type
  const certain: string = made.dns_records[0]?.type;
  const verifiedAt: string | null | undefined = made.dns_verified_at;
  return [...checks, known, status, isVerified, certain, verifiedAt, await sendingDomains.get(1)];
}

export const wrongDomains = ({ sendingDomains }: EmailPlatform): unknown[] => [
  // @ts-expect-error a name is required
  sendingDomains.create({}),
  // @ts-expect-error wire names are in snake case
  sendingDomains.create({ domainName: 'news.example.com' }),
  // @ts-expect-error the SDK adds the wrapper
  sendingDomains.create({ sending_domain: { domain_name: 'news.example.com' } }),
  // @ts-expect-error a domain's name cannot be changed
  sendingDomains.update(1, { domain_name: 'news.example.com' }),
  // @ts-expect-error a setting is a boolean
  sendingDomains.update(1, { open_tracking_enabled: 'yes' }),
  // @ts-expect-error an id is a number
  sendingDomains.get('news.example.com'),
  // @ts-expect-error the recipient's email is required
  sendingDomains.sendSetupInstructions(1),
  // @ts-expect-error durations end in Ms
  sendingDomains.waitUntilVerified(1, { poll: 1000 }),
  // @ts-expect-error the domain's records are required
  sendingDomains.isVerified({ dns_verified: true }),
];
