import { expect } from 'vitest';
import { type Claim, claim, sent, campaign } from './claim.ts';

const PLACEHOLDER = { html: '<a href="__unsubscribe_url__">x</a>' };
const LINK = /^<a href="(https?:[^"_]+)">x<\/a>$/;

/** The section "Unsubscribe links". */
export const LINKS: readonly Claim[] = [
  claim(
    `On both streams the emulator replaces \`__unsubscribe_url__\` by a link of each recipient's own, as the service's
documentation says.`,
    async (service) => {
      for (const host of ['send', 'bulk']) {
        await sent(
          service,
          { ...PLACEHOLDER, to: [{ email: 'ann@example.org' }, { email: 'bo@example.org' }] },
          host,
        );
        const htmls = service.emulator
          .messages()
          .slice(-2)
          .map(({ html }) => LINK.exec(html ?? '')?.[1]);
        expect([host, new Set(htmls.filter((link) => link !== undefined)).size]).toEqual([host, 2]);
      }
    },
  ),
  claim(
    `On the bulk stream it also adds \`List-Unsubscribe\` and \`List-Unsubscribe-Post\`.`,
    async (service) => {
      const names = ['List-Unsubscribe', 'List-Unsubscribe-Post'];
      expect(Object.keys((await sent(service, {}, 'bulk'))?.headers ?? {})).toEqual(names);
      expect((await sent(service))?.headers).toEqual({});
    },
  ),
  claim(
    `If the domain has
\`auto_unsubscribe_link_enabled\`, an email without the placeholder gets a footer with the link, worded as recorded.`,
    async (service) => {
      await service.call('PATCH /api/domains/301', { domain: { auto_unsubscribe_link_enabled: true } });
      for (const host of ['send', 'bulk']) {
        expect((await sent(service, {}, host))?.text).toMatch(/^Hello\r\n\r\nUnsubscribe: https?:\S+$/);
        expect((await sent(service, PLACEHOLDER, host))?.html).toMatch(LINK);
      }
    },
  ),
  claim(
    `The
link leads to a page of the emulator, which unsubscribes the recipient.`,
    async (service) => {
      const [, link = ''] = LINK.exec((await sent(service, PLACEHOLDER))?.html ?? '') ?? [];
      const page = await service.emulator.fetch(link);
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/html'),
      ]);
      expect((await service.call('GET /api/suppressions')).value).toEqual([]);
      await service.emulator.fetch(link, { method: 'POST' });
      expect((await service.call('GET /api/suppressions')).value).toMatchObject([
        { email: 'ann@example.org', type: 'unsubscription' },
      ]);
    },
  ),
];

/** What the emulator chose, of those endpoints of which the page says an effect. */
export const CHOSEN: readonly Claim[] = [
  claim('that it does the same as `cancel`', async (service) => {
    const states: unknown[] = [];
    for (const action of ['cancel', 'reset']) {
      const path = await campaign(service);
      await service.call(`POST ${path}/schedule`, { datetime: '2026-02-01T12:00:00.000Z' });
      const { value } = await service.call(`POST ${path}/${action}`);
      states.push((value as { data: { current_state: unknown } }).data.current_state);
    }
    expect(states).toEqual(['draft', 'draft']);
  }),
  claim('that the old token works for twelve more hours', async ({ call, emulator }) => {
    const { value } = await call('POST /api/api_tokens', {
      name: 'n',
      resources: [{ resource_type: 'account', resource_id: 1001, access_level: 100 }],
    });
    const { id, token } = value as { id: number; token: string };
    await call(`POST /api/api_tokens/${id}/reset`);
    const works = async () => (await call('GET /api/accounts', undefined, { token })).status;
    emulator.clock.advance(12 * 3_600_000 - 1000);
    expect(await works()).toBe(200);
    emulator.clock.advance(2000);
    expect(await works()).toBe(401);
  }),
  claim('that the tokens of the account stop working', async ({ call, emulator }) => {
    const { id } = await call('POST /api/organizations/901/sub_accounts', { account: { name: 'Shop' } });
    const token = emulator.createToken({ accountId: id });
    const works = async () => (await call('GET /api/accounts', undefined, { token })).status;
    expect(await works()).toBe(200);
    await call(`DELETE /api/organizations/901/sub_accounts/${id}`);
    expect(await works()).toBe(401);
  }),
];
