import { createRequire } from 'node:module';
import { createEmulator, type EmulatorAnswers } from 'email-platform/testing';
import { beforeAll, describe, expect, test } from 'vitest';

/** A message of the log, as the service's own client types it. */
interface OfficialMessage {
  readonly message_id: string;
  readonly subject: string;
  readonly sending_domain_id: number;
}

interface OfficialClient {
  readonly emailLogs: {
    getList: (params?: object) => Promise<{ messages: OfficialMessage[]; total_count: number }>;
    get: (id: string) => Promise<OfficialMessage>;
  };
  send: (mail: object) => Promise<{ message_ids: string[] }>;
}

/** What axios asks of an adapter. */
interface AxiosRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: { toJSON: () => Record<string, string> };
  readonly data?: string;
}

interface Packages {
  readonly MailtrapClient: new (options: { token: string; accountId: number }) => OfficialClient;
  readonly axios: { readonly defaults: { adapter: unknown }; readonly AxiosError: unknown };
}

/** What needs the packages of this folder is no module of the project, which is compiled without it. */
let packages: Packages;
beforeAll(() => {
  const require = createRequire(import.meta.url);
  packages = {
    ...(require('mailtrap') as Pick<Packages, 'MailtrapClient'>),
    axios: require('axios') as Packages['axios'],
  };
});

/** The service's own client, unchanged: its requests leave it complete, and reach the emulator in place of a socket. */
function connected(answers: EmulatorAnswers) {
  const emulator = createEmulator({ answers });
  const { token, accountId, hosts, fetch } = emulator.clientOptions();
  const { MailtrapClient, axios } = packages;
  const before = axios.defaults.adapter;
  axios.defaults.adapter = async (config: AxiosRequest) => {
    const { hostname, pathname, search } = new URL(config.url);
    const stream = (['send', 'bulk', 'sandbox'] as const).find((name) => hostname.startsWith(`${name}.`));
    const response = await fetch(hosts[stream ?? 'api'] + pathname + search, {
      method: config.method.toUpperCase(),
      headers: config.headers.toJSON(),
      body: config.data ?? null,
    });
    const { status } = response;
    const result = { status, data: (await response.json()) as unknown, headers: {}, config };
    if (status < 300) return result;
    throw Object.assign(new Error(`status ${status}`), { isAxiosError: true, response: result, config });
  };
  const client = new MailtrapClient({ token, accountId });
  axios.defaults.adapter = before;
  return { emulator, client };
}

describe.each(['specified', 'recorded'] as const)(
  "The service's own client reads the log, as %s",
  (answers) => {
    test('a message has the id of its domain, and the filter by domain finds those of that domain alone', async () => {
      const { emulator, client } = connected(answers);
      const [own] = emulator.domains.list();
      const other = emulator.domains.add({ name: 'other.example.com' });
      const mail = { to: [{ email: 'ann@example.org' }], text: 'Hello' };
      const send = async (domain: string) => {
        const { message_ids } = await client.send({
          ...mail,
          from: { email: `hello@${domain}` },
          subject: domain,
        });
        return message_ids[0] ?? '';
      };
      const first = await send('mail.example.com');
      const second = await send('other.example.com');

      const all = await client.emailLogs.getList();
      const domains = Object.fromEntries(
        all.messages.map(({ message_id, sending_domain_id }) => [message_id, sending_domain_id]),
      );
      expect(domains).toEqual({ [first]: own?.id, [second]: other });
      expect(await client.emailLogs.get(second)).toMatchObject({
        subject: 'other.example.com',
        sending_domain_id: other,
      });

      const found = async (filter: object) => {
        const { messages, total_count } = await client.emailLogs.getList({
          filters: { sending_domain_id: filter },
        });
        expect(messages).toHaveLength(total_count);
        return messages.map(({ message_id }) => message_id).sort();
      };
      expect(await found({ operator: 'equal', value: other })).toEqual([second]);
      expect(await found({ operator: 'equal', value: [own?.id, other] })).toEqual([first, second].sort());
      expect(await found({ operator: 'not_equal', value: other })).toEqual([first]);
      expect(await found({ operator: 'equal', value: 999 })).toEqual([]);
    });

    test('a refused send has the text of the service, once for each form of it', async () => {
      const { client } = connected(answers);
      const mail = {
        from: { email: 'a@unknown.example.com' },
        to: [{ email: 'b@c.de' }],
        subject: 's',
        text: 't',
      };
      await expect(client.send(mail)).rejects.toThrow('Unauthorized');
    });
  },
);
