import { describe, expect, test } from 'vitest';
import { start, still, wire, type Answer } from '../../../tools/wire.ts';

const forms = [
  ['/api/domains', 'domain'],
  ['/api/accounts/1001/sending_domains', 'sending_domain'],
] as const;
const [[path, wrapper]] = forms;

interface WireDomain {
  id: number;
  dns_verified: boolean;
  dns_verified_at: string;
  compliance_status: string;
  dns_records: { key: string; status: string }[];
}

const domainOf = ({ value }: Answer) => value as WireDomain;

function setUp(options: Parameters<typeof still>[0] = {}) {
  const emulator = still(options);
  const call = wire(emulator);
  const create = async (domain_name = 'new.example.com') =>
    domainOf(await call('POST', path, { body: { [wrapper]: { domain_name } } }));
  const look = async (id: number) => domainOf(await call('GET', `${path}/${id}`));
  return { emulator, call, create, look };
}

describe.each(forms)('Sending domains: %s', (base, name) => {
  test('create returns 200 with the bare record and the DNS records to add', async () => {
    const { call } = setUp();
    const body = { [name]: { domain_name: ' New.Example.com ' } };
    const { status, value } = await call('POST', base, { body });
    expect([status, value]).toEqual([
      200,
      {
        id: expect.any(Number) as unknown,
        domain_name: 'new.example.com',
        demo: false,
        compliance_status: 'unverified_dns',
        dns_verified: false,
        dns_verified_at: '',
        dns_records: ['verification', 'dkim1', 'dkim2', 'dmarc', 'link_verification'].map((key) => ({
          key,
          domain: expect.stringContaining('.new.example.com') as unknown,
          type: key === 'dmarc' ? 'TXT' : 'CNAME',
          value: expect.any(String) as unknown,
          status: 'unchecked',
          name: expect.any(String) as unknown,
        })),
        open_tracking_enabled: true,
        click_tracking_enabled: true,
        auto_unsubscribe_link_enabled: false,
        tracking_opt_out_enabled: false,
        inbound_enabled: false,
        inbound_verified: false,
        custom_domain_tracking_enabled: false,
        health_alerts_enabled: true,
        critical_alerts_enabled: true,
        alert_recipient_email: null,
        permissions: { can_read: true, can_update: true, can_destroy: true },
      },
    ]);
  });

  test('list is under data, get bare; update changes the given settings; delete 204', async () => {
    const { call, create } = setUp();
    const { id } = await create();
    const list = (await call('GET', base)).value as { data: WireDomain[] };
    expect(list.data.map((one) => one.dns_verified)).toEqual([true, false, false]);
    const body = { [name]: { open_tracking_enabled: false, inbound_enabled: true } };
    const updated = await call('PATCH', `${base}/${id}`, { body });
    expect([updated.status, updated.value]).toMatchObject([
      200,
      { open_tracking_enabled: false, click_tracking_enabled: true, inbound_enabled: true },
    ]);
    expect((await call('GET', `${base}/${id}`)).value).toEqual(updated.value);
    expect((await call('DELETE', `${base}/${id}`)).status).toBe(204);
    expect((await call('GET', `${base}/${id}`)).text).toBe('{"error":"Not Found"}');
  });

  test('the wrapper of the other form: 400 with an empty page', async () => {
    const { call } = setUp();
    const other = name === 'domain' ? 'sending_domain' : 'domain';
    const { status, text } = await call('POST', base, {
      body: { [other]: { domain_name: 'a.example.com' } },
    });
    expect([status, text]).toEqual([400, '']);
  });

  test('setup instructions: 204, or 422 for an invalid address', async () => {
    const { call } = setUp();
    const send = (body: unknown, id = 301) => call('POST', `${base}/${id}/send_setup_instructions`, { body });
    const sent = await send({ email: 'dns@example.com' });
    expect([sent.status, sent.text]).toEqual([204, '']);
    expect((await send({ email: 'dns' })).value).toEqual({ errors: { email: ['is invalid'] } });
    expect((await send({ email: 'dns@example.com' }, 9)).status).toBe(404);
  });

  test('company info: 404 until there is one, then 200 under data', async () => {
    const { call } = setUp();
    const at = `${base}/301/company_info`;
    expect((await call('GET', at)).status).toBe(404);
    const info = {
      name: 'Example',
      address: '1 Road',
      city: 'Rome',
      country: 'Italy',
      zip_code: '00100',
      website_url: 'https://example.com',
    };
    const refused = await call('POST', at, { body: { company_info: { name: 'Example' } } });
    expect(refused.status).toBe(422);
    expect((await call('POST', at, { body: { company_info: info } })).status).toBe(200);
    const { status } = await call('PATCH', at, { body: { company_info: { city: 'Milan' } } });
    expect(status).toBe(200);
    expect((await call('GET', at)).value).toEqual({
      data: {
        ...info,
        city: 'Milan',
        phone: null,
        privacy_policy_url: null,
        terms_of_service_url: null,
        info_level: 'business',
      },
    });
  });
});

describe('Sending domains: rules', () => {
  test.each<[unknown, string]>([
    ['mail', 'Domain name is invalid'],
    ['a b.com', 'Domain name is invalid'],
    ['Mail.Example.com', 'Domain name has already been taken'],
    ...['', ' ', null, 5].map((name): [unknown, string] => [
      name,
      "Validation failed: Domain name can't be blank, Tracking domain name is not a valid domain name",
    ]),
  ])('the name %j → 422 under base', async (domain_name, message) => {
    const { call } = setUp();
    const { status, value } = await call('POST', path, { body: { [wrapper]: { domain_name } } });
    expect([status, value]).toEqual([422, { errors: { base: [message] } }]);
  });

  test('a setting that is not a boolean → 422 with a map', async () => {
    const { call } = setUp();
    const body = { [wrapper]: { click_tracking_enabled: 'yes' } };
    expect((await call('PATCH', `${path}/301`, { body })).value).toEqual({
      errors: { click_tracking_enabled: ['is invalid'] },
    });
  });

  test('a token is limited to its domains, a viewer to reading', async () => {
    const { emulator, call, create } = setUp();
    const { id } = await create();
    const limited = emulator.createToken({ domains: [id] });
    expect((await call('GET', path, { token: limited })).value).toMatchObject({ data: [{ id }] });
    expect((await call('GET', `${path}/301`, { token: limited })).status).toBe(404);
    const token = emulator.createToken({ permissions: { domains: 'viewer' } });
    expect((await call('GET', `${path}/301`, { token })).value).toMatchObject({
      permissions: { can_read: true, can_update: false, can_destroy: false },
    });
    expect((await call('DELETE', `${path}/301`, { token })).status).toBe(403);
  });
});

describe('Sending domains: verification over time', () => {
  test('the DNS records pass one after another; verified when all are', async () => {
    const { emulator, create, look } = setUp();
    const { id } = await create();
    const passed: [number, boolean][] = [];
    for (let step = 0; step <= 5; step += 1) {
      const domain = await look(id);
      passed.push([domain.dns_records.filter(({ status }) => status === 'pass').length, domain.dns_verified]);
      emulator.clock.advance(12_000);
    }
    expect(passed).toEqual([
      [0, false],
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [5, true],
    ]);
    expect((await look(id)).dns_verified_at).toBe(new Date(start + 60_000).toISOString());
  });

  test('compliance_status: under_review, awaiting_questionnaire, compliant', async () => {
    const { emulator, create, look } = setUp({ domains: { propagateMs: 10, reviewMs: 20 } });
    const { id } = await create();
    const seen: string[] = [];
    for (const ms of [0, 10, 20, 20]) {
      emulator.clock.advance(ms);
      seen.push((await look(id)).compliance_status);
    }
    expect(seen).toEqual(['unverified_dns', 'under_review', 'awaiting_questionnaire', 'compliant']);
  });

  test('with propagateMs: Infinity only setVerified verifies a domain', async () => {
    const { emulator, create, look } = setUp({ domains: { propagateMs: Infinity } });
    const { id } = await create();
    emulator.clock.advance(1e9);
    expect((await look(id)).dns_verified).toBe(false);
    emulator.domains.setVerified(id, true);
    expect(await look(id)).toMatchObject({ dns_verified: true, compliance_status: 'under_review' });
    emulator.domains.setVerified(id, false);
    const { dns_verified, dns_records } = await look(id);
    expect(dns_verified).toBe(false);
    expect(dns_records.some(({ status }) => status === 'fail')).toBe(true);
  });

  test('without tracking there are no opens and no clicks', async () => {
    const { emulator, call } = setUp();
    const body = { [wrapper]: { open_tracking_enabled: false, click_tracking_enabled: false } };
    await call('PATCH', `${path}/301`, { body });
    await call('POST', '/api/send', {
      host: 'send',
      body: { from: { email: 'a@mail.example.com' }, to: [{ email: 'b@c.de' }], subject: 's', text: 't' },
    });
    emulator.clock.advance(1e9);
    expect((await call('GET', '/api/email_logs')).value).toMatchObject({
      messages: [{ status: 'delivered', opens_count: 0, clicks_count: 0 }],
    });
  });
});
