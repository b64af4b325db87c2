/** The states of a setup that `doctor` tells apart. The guide lists them, with the lines that it prints. */
import { EmailPlatform } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';

/** Changes the responses of addresses that contain a text. */
export type Answers = Record<string, () => Promise<Response>>;

/** An environment of the command, which has no other settings. */
export interface Arranged {
  readonly env?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

/** The state of a setup. */
export interface State {
  /** The state, in words. */
  readonly state: string;
  /** Environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the account; returns more environment variables, and another `fetch`. */
  readonly arrange?: (emulator: Emulator) => Arranged | Promise<Arranged>;
  /** Other responses; the addresses are those of the client. */
  readonly answers?: Answers;
  /** Whether the client may use plain http. */
  readonly isHttpAllowed?: true;
  /** Further arguments of the command. */
  readonly args?: readonly string[];
  /** The mark of the line with the cause: `error` if there is no client. */
  readonly mark: '✗' | '!' | 'error';
  /** The line with the cause. */
  readonly cause: RegExp;
  /** The line with the cure. */
  readonly cure: RegExp;
  /** Whether the service takes emails, and no customer gets them. */
  readonly isWithheld?: true;
}

const failing = (code: string) => () =>
  Promise.reject(
    Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) }),
  );
const answering =
  (status: number, body = '{}') =>
  () =>
    Promise.resolve(new Response(body, { status, headers: { date: new Date().toUTCString() } }));

const FROM = 'hello@mail.example.com';

/** The list of domains, with a change to each of them. */
const domainsWith = (change: object) => async (emulator: Emulator) => {
  const { items } = await new EmailPlatform(emulator.clientOptions()).sendingDomains.list();
  const changed = items.map((domain) => ({ ...domain, ...change }));
  return fetching(emulator, {
    domains: () => Promise.resolve(Response.json({ data: changed })),
  });
};

/** A `fetch` that changes some responses of an emulator. */
export function fetching(emulator: Emulator, answers: Answers): Arranged {
  const { fetch: send } = emulator.clientOptions();
  return {
    fetch: (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      const changed = Object.entries(answers).find(([part]) => url.includes(part));
      return changed ? changed[1]() : send(input, init);
    },
  };
}

/** The environment of a client without addresses. */
const NO_HOSTS = Object.fromEntries(
  ['API', 'SEND', 'BULK', 'SANDBOX'].map((name) => [`EMAIL_PLATFORM_${name}_URL`, '']),
);

/** Hosts at a port; the emulator answers for them. */
const hostsAt = (base: string) => (emulator: Emulator) => {
  const { hosts, fetch: send } = emulator.clientOptions();
  const [from = ''] = /^https?:\/\/[^/]+/.exec(hosts.api) ?? [];
  const env = Object.fromEntries(
    Object.entries(hosts).map(([name, address]) => [
      `EMAIL_PLATFORM_${name.toUpperCase()}_URL`,
      String(address).replace(from, base),
    ]),
  );
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    return send(new Request(request.url.replace(base, from), request));
  };
  return { env, fetch };
};

export const STATES: readonly State[] = [
  {
    state: 'no token',
    env: { EMAIL_PLATFORM_TOKEN: '' },
    mark: 'error',
    cause: /token is required/,
    cure: /set EMAIL_PLATFORM_TOKEN/,
  },
  {
    state: 'a blank in the token',
    env: { EMAIL_PLATFORM_TOKEN: 'abc def' },
    mark: 'error',
    cause: /EMAIL_PLATFORM_TOKEN/,
    cure: /without spaces/,
  },
  {
    state: 'a misspelt variable',
    env: { EMAIL_PLATFORM_RECIPIENT: '@us.example' },
    mark: 'error',
    cause: /EMAIL_PLATFORM_RECIPIENT is not a known/,
    cure: /did you mean `EMAIL_PLATFORM_RECIPIENTS`/,
  },
  {
    state: 'an unknown stream',
    env: { EMAIL_PLATFORM_STREAM: 'marketing' },
    mark: 'error',
    cause: /EMAIL_PLATFORM_STREAM/,
    cure: /bulk/,
  },
  {
    state: 'a sender that is not an address',
    env: { EMAIL_PLATFORM_FROM: 'our shop' },
    mark: '✗',
    cause: /sender .*our shop: is not an address/,
    cure: /set EMAIL_PLATFORM_FROM to an address, such as hello@mail\.example\.com/,
  },
  {
    state: 'no address of a host',
    env: NO_HOSTS,
    mark: '✗',
    cause: /token .*the host api has no address/,
    cure: /EMAIL_PLATFORM_DOMAIN/,
  },
  {
    state: 'a host in place of the domain',
    env: { ...NO_HOSTS, EMAIL_PLATFORM_DOMAIN: 'send.api.mail.invalid' },
    mark: 'error',
    cause: /EMAIL_PLATFORM_DOMAIN must be the domain alone/,
    cure: /the part after `send\.api\.`/,
  },
  {
    state: 'a wrong token',
    env: { EMAIL_PLATFORM_TOKEN: 'wrong' },
    mark: '✗',
    cause: /token .*refused \(401\)/,
    cure: /copy the token again/,
  },
  {
    state: 'the id of the account in place of the token',
    env: { EMAIL_PLATFORM_TOKEN: '1001' },
    mark: '✗',
    cause: /token .*refused \(401\)/,
    cure: /EMAIL_PLATFORM_TOKEN and EMAIL_PLATFORM_ACCOUNT_ID may be swapped/,
  },
  {
    state: 'the token of another emulator, or of one that was started again',
    env: { EMAIL_PLATFORM_TOKEN: 'emu_abc' },
    mark: '✗',
    cause: /token .*refused \(401\)/,
    cure: /the token is of an emulator/,
  },
  {
    state: 'the token of an emulator behind a host name',
    arrange: () => {
      const { token, fetch } = createEmulator({ token: 'emu_abc' }).clientOptions();
      return { env: { EMAIL_PLATFORM_TOKEN: token }, fetch };
    },
    mark: '!',
    cause: /hosts .*send is an emulator \(.*\), by its token \(emu_…\): no customer gets its emails/,
    cure: /for production: set EMAIL_PLATFORM_DOMAIN/,
    isWithheld: true,
  },
  {
    state: 'an account that is not the token’s',
    env: { EMAIL_PLATFORM_ACCOUNT_ID: '77' },
    mark: '!',
    cause: /token .*of account 1001, not 77: emails belong to the token's account/,
    cure: /EMAIL_PLATFORM_ACCOUNT_ID/,
  },
  {
    state: 'a token that may not list accounts',
    answers: { '/accounts': answering(403, '{"errors":"Forbidden"}') },
    mark: '!',
    cause: /token .*may not list accounts/,
    cure: /--send/,
  },
  {
    state: 'a firewall in place of the service',
    answers: { '/': answering(403, 'error code: 1020') },
    mark: '✗',
    cause: /token .*not checked: .*answered 403/,
    cure: /the address leads elsewhere/,
  },
  {
    state: 'an unknown host name',
    answers: { '/send/': failing('ENOTFOUND') },
    mark: '✗',
    cause: /hosts .*send: the name is unknown \(emulator\.test\)/,
    cure: /the host name is wrong, .*EMAIL_PLATFORM_SEND_URL/,
  },
  {
    state: 'a proxy that Node does not use',
    env: { HTTPS_PROXY: 'http://user:secret@proxy.example.com:3128' },
    answers: { 'https:': failing('ENOTFOUND') },
    mark: '!',
    cause: /proxy .*HTTPS_PROXY \(proxy\.example\.com:3128\) is set, and this process does not use it/,
    cure: /NODE_USE_ENV_PROXY=1/,
  },
  {
    state: 'a proxy that does not let the host pass',
    answers: { '/send/': failing('UND_ERR_PRX_CONN') },
    mark: '✗',
    cause: /hosts .*a proxy refused the connection/,
    cure: /NO_PROXY/,
  },
  {
    state: 'no answer, as behind a firewall',
    answers: { '/send/': failing('UND_ERR_CONNECT_TIMEOUT') },
    mark: '✗',
    cause: /hosts .*no answer in time/,
    cure: /firewall/,
  },
  {
    state: 'nothing listens at the address',
    answers: { '/send/': failing('ECONNREFUSED') },
    mark: '✗',
    cause: /hosts .*the connection was refused/,
    cure: /check the port.*: set .*EMAIL_PLATFORM_SEND_URL/,
  },
  {
    state: 'the address of another host',
    arrange: (emulator) => ({ env: { EMAIL_PLATFORM_SEND_URL: emulator.clientOptions().hosts.api } }),
    mark: '✗',
    cause: /hosts .*send: it has the address of the host api/,
    cure: /check the address .*: set .*EMAIL_PLATFORM_SEND_URL/,
  },
  {
    state: 'a certificate for another name',
    answers: { '/send/': failing('ERR_TLS_CERT_ALTNAME_INVALID') },
    mark: '✗',
    cause: /hosts .*the certificate is for another name/,
    cure: /the host name is wrong/,
  },
  {
    state: 'a certificate of a company’s proxy',
    answers: { '/send/': failing('SELF_SIGNED_CERT_IN_CHAIN') },
    mark: '✗',
    cause: /hosts .*unknown authority/,
    cure: /NODE_EXTRA_CA_CERTS/,
  },
  {
    state: 'a wrong path in the address of the API (404)',
    answers: { '/account/': answering(404) },
    mark: '✗',
    cause: /token .*answered 404/,
    cure: /wrong path.*EMAIL_PLATFORM_API_URL/,
  },
  {
    state: 'the same, with 501',
    answers: { '/account/': answering(501) },
    mark: '✗',
    cause: /token .*answered 501/,
    cure: /wrong path.*EMAIL_PLATFORM_API_URL/,
  },
  {
    state: 'a web site in place of the API',
    answers: { '/account/': answering(200, '<!doctype html>') },
    mark: '✗',
    cause: /token .*answered, but not like the service/,
    cure: /web site/,
  },
  {
    state: 'the API is down',
    answers: { '/account/': answering(503) },
    mark: '✗',
    cause: /token .*answered 503/,
    cure: /try again later/,
  },
  {
    state: 'a wrong path in the address for sending (404)',
    answers: { '/send/': answering(404) },
    mark: '✗',
    cause: /hosts .*send: answered 404 at .*, unlike the service/,
    cure: /EMAIL_PLATFORM_SEND_URL/,
  },
  {
    state: 'the same, with 501',
    answers: { '/send/': answering(501) },
    mark: '✗',
    cause: /hosts .*send: answered 501 at .*, unlike the service/,
    cure: /EMAIL_PLATFORM_SEND_URL/,
  },
  {
    state: 'an address for sending with a path of the API',
    env: { EMAIL_PLATFORM_SEND_URL: 'https://emulator.test/send/api/send' },
    mark: '✗',
    cause: /hosts .*send: the address has a path of the API/,
    cure: /leave \/api\/send, which the client adds, out of the address .*EMAIL_PLATFORM_SEND_URL/,
  },
  {
    state: 'the same, in the address of the API',
    env: { EMAIL_PLATFORM_API_URL: 'https://emulator.test/account/api' },
    mark: '✗',
    cause: /token .*answered 501/,
    cure: /leave \/api, which the client adds, out of the address .*EMAIL_PLATFORM_API_URL/,
  },
  {
    state: 'another path, to which a request without a token proves nothing',
    env: { EMAIL_PLATFORM_SEND_URL: 'https://emulator.test/send/mail' },
    mark: '!',
    cause: /hosts .*send: the path of .*\/send\/mail is not checked/,
    cure: /--send/,
  },
  {
    state: 'a web site in place of the host for sending',
    answers: { '/send/': answering(200, '<!doctype html>') },
    mark: '✗',
    cause: /hosts .*send: .*unlike the service/,
    cure: /EMAIL_PLATFORM_SEND_URL/,
  },
  {
    state: 'the host for sending is down',
    answers: { '/send/': answering(503) },
    mark: '✗',
    cause: /hosts .*send: answered 503/,
    cure: /try again later/,
  },
  {
    state: 'another host is not there',
    answers: { '/sandbox/': failing('ENOTFOUND') },
    mark: '!',
    cause: /hosts .*sandbox: the name is unknown/,
    cure: /EMAIL_PLATFORM_SANDBOX_URL/,
  },
  {
    state: 'the addresses of an emulator',
    arrange: hostsAt('http://127.0.0.1:4010'),
    mark: '!',
    isWithheld: true,
    cause: /hosts .*this machine.*no customer/,
    cure: /for production: set EMAIL_PLATFORM_DOMAIN/,
  },
  {
    state: 'an address of plain http',
    arrange: hostsAt('http://emulator.test:4010'),
    isHttpAllowed: true,
    mark: '!',
    isWithheld: true,
    cause: /hosts .*send is reached by plain http \(.*\), like an emulator: no customer/,
    cure: /for production: set EMAIL_PLATFORM_DOMAIN/,
  },
  {
    state: 'the sandbox left on',
    env: { EMAIL_PLATFORM_STREAM: 'sandbox', EMAIL_PLATFORM_SANDBOX_INBOX_ID: '2001' },
    mark: '!',
    isWithheld: true,
    cause: /stream .*captured in inbox 2001; no customer gets any/,
    cure: /unset EMAIL_PLATFORM_STREAM/,
  },
  {
    state: 'a sandbox inbox that does not exist',
    env: { EMAIL_PLATFORM_STREAM: 'sandbox', EMAIL_PLATFORM_SANDBOX_INBOX_ID: '999999' },
    mark: '✗',
    cause: /stream .*sandbox: inbox 999999 is not in the account/,
    cure: /set EMAIL_PLATFORM_SANDBOX_INBOX_ID to an inbox of the account/,
  },
  {
    state: 'a sandbox inbox that does not exist, on another stream',
    env: { EMAIL_PLATFORM_SANDBOX_INBOX_ID: '999999' },
    mark: '!',
    cause: /stream .*transactional; the sandbox's inbox 999999 is not in the account/,
    cure: /set EMAIL_PLATFORM_SANDBOX_INBOX_ID to an inbox of the account/,
  },
  {
    state: 'a sandbox inbox that the token may not read',
    env: { EMAIL_PLATFORM_STREAM: 'sandbox', EMAIL_PLATFORM_SANDBOX_INBOX_ID: '2001' },
    answers: { '/2001': answering(403, '{"errors":"Forbidden"}') },
    mark: '!',
    isWithheld: true,
    cause: /stream .*inbox 2001, which is not checked/,
    cure: /unset EMAIL_PLATFORM_STREAM/,
  },
  {
    state: 'a guard left on',
    env: { EMAIL_PLATFORM_RECIPIENTS: '@us.example' },
    mark: '!',
    isWithheld: true,
    cause: /guard .*any customer is refused/,
    cure: /unset EMAIL_PLATFORM_RECIPIENTS/,
  },
  {
    state: 'a redirect left on',
    env: { EMAIL_PLATFORM_REDIRECT_TO: 'qa@us.example' },
    mark: '!',
    isWithheld: true,
    cause: /guard .*goes to qa@us\.example instead/,
    cure: /unset EMAIL_PLATFORM_REDIRECT_TO/,
  },
  {
    state: 'a sender whose domain is not verified',
    env: { EMAIL_PLATFORM_FROM: 'hello@shop.example.com' },
    arrange: (emulator) => {
      emulator.domains.add({ name: 'shop.example.com', verified: false });
      return {};
    },
    mark: '✗',
    cause: /sender .*the domain shop\.example\.com is not verified/,
    cure: /add its DNS records, below; or set EMAIL_PLATFORM_FROM to an address of mail\.example\.com/,
  },
  {
    state: 'a sender whose domain is not in the account',
    env: { EMAIL_PLATFORM_FROM: 'Shop <hello@not-there.example>' },
    mark: '✗',
    cause: /sender .*not-there\.example is not in the account/,
    cure: /add it, with its DNS records/,
  },
  ...['suspended', 'non_compliant', 'demo_exhausted'].map((status): State => ({
    state: `a sender from whose domain the service sends nothing: ${status}`,
    arrange: domainsWith({ compliance_status: status }),
    mark: '✗',
    cause: new RegExp(`sender .*sends nothing from mail\\.example\\.com \\(${status}\\)`),
    cure: /support/,
  })),
  {
    state: 'a domain that waits for its questionnaire',
    arrange: domainsWith({ compliance_status: 'awaiting_questionnaire' }),
    mark: '!',
    cause: /domains .*awaiting_questionnaire/,
    cure: /web page/,
  },
  {
    state: 'no verified domain',
    env: { EMAIL_PLATFORM_FROM: '' },
    arrange: (emulator) => {
      for (const { id } of emulator.domains.list()) emulator.domains.setVerified(id, false);
      return {};
    },
    mark: '✗',
    cause: /domains .*none is verified/,
    cure: /add the DNS records/,
  },
  {
    state: 'a token with access to no domain',
    env: { EMAIL_PLATFORM_FROM: '' },
    arrange: (emulator) => ({ env: { EMAIL_PLATFORM_TOKEN: emulator.createToken({ domains: [] }) } }),
    mark: '✗',
    cause: /domains .*the token has access to none/,
    cure: /give the token access to one/,
  },
  {
    state: 'a token that may not read domains',
    arrange: (emulator) => ({
      env: { EMAIL_PLATFORM_TOKEN: emulator.createToken({ permissions: { domains: 'none' } }) },
    }),
    mark: '!',
    cause: /domains .*not checked: the token may not read it/,
    cure: /--send/,
  },
  {
    state: 'a plan that is used up',
    arrange: (emulator) => {
      emulator.setBilling('exceeded');
      return {};
    },
    mark: '!',
    cause: /plan .*all 10000 emails of the plan Basic 10K are used until/,
    cure: /plan in the service’s web page/,
  },
  {
    state: 'a plan that the token may not read',
    answers: { '/billing/usage': answering(403) },
    mark: '!',
    cause: /plan .*not checked: the token may not read it/,
    cure: /plan in the service’s web page/,
  },
  {
    state: 'a limit that other programs have used up',
    arrange: async (emulator) => {
      const another = new EmailPlatform({ ...emulator.clientOptions(), throttle: false, retry: false });
      for (let count = 0; count < 150; count += 1) await another.accounts.list().catch(() => undefined);
      return {};
    },
    mark: '✗',
    cause: /token .*rate limit of the token is used up/,
    cure: /wait \d+ s, and run it again/,
  },
  {
    state: 'a limit that other programs use',
    arrange: async (emulator) => {
      const another = new EmailPlatform({ ...emulator.clientOptions(), throttle: false, retry: false });
      for (let count = 0; count < 100; count += 1) await another.accounts.list();
      return {};
    },
    mark: '!',
    cause: /limits .*150\/10 s, \d+ used by another program/,
    cure: /redisThrottle/,
  },
  {
    state: 'a clock that is an hour off',
    arrange: () => {
      const late = createEmulator({ seed: 'empty', now: () => Date.now() - 3_600_000 });
      const { token, fetch } = late.clientOptions();
      return { env: { EMAIL_PLATFORM_TOKEN: token }, fetch };
    },
    mark: '!',
    cause: /clock .*3599 s ahead of the service/,
    cure: /NTP/,
  },
  {
    state: 'a token that may not send: only `--send` shows it',
    arrange: (emulator) => ({
      env: { EMAIL_PLATFORM_TOKEN: emulator.createToken({ permissions: { sending: 'none' } }) },
    }),
    args: ['--send', 'you@example.org'],
    mark: '✗',
    cause: /The test email was refused: .*403/,
    cure: /give the token the right to send/,
  },
];

/** The environment of a client for which all is well. */
export const WELL = { EMAIL_PLATFORM_FROM: FROM };
