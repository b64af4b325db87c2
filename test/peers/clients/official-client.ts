import { createRequire } from 'node:module';
import { type Emulator, createEmulator } from 'email-platform/testing';
import { beforeAll } from 'vitest';

/** A template, as the service's own client types it. */
export interface OfficialTemplate {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly subject: string;
  readonly category: string;
  readonly body_html: string | null;
  readonly body_text: string | null;
}

/** A message of the log, as the service's own client types it. */
interface OfficialMessage {
  readonly message_id: string;
  readonly subject: string;
  readonly sending_domain_id: number;
}

/** The service's own client, as far as tests call it. */
export interface OfficialClient {
  readonly templates: {
    getList: () => Promise<OfficialTemplate[]>;
    update: (id: number, params: object) => Promise<OfficialTemplate>;
  };
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
export function connected(answers?: Emulator.Answers) {
  const emulator = createEmulator({ ...(answers && { answers }) });
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
