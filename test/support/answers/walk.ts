import { createHash } from 'node:crypto';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { random } from '../random.ts';
import { walkRequests, type Draws, type WalkRequest } from './requests.ts';

/** A time in a month that is longer than the next one. */
export const START = Date.parse('2026-01-31T12:00:00.000Z');

/** Odd values for a field. */
const ODD: readonly unknown[] = [null, '', ' ', 5, -1, true, [], {}, ['x'], 'x'.repeat(300)];
/** Unknown and invalid ids for a path. */
const NOBODY = ['0', '999999', 'abc', '11111111-1111-4111-8111-111111111111', '-1', '1e3', '%20'];

const HOUR = 3_600_000;

/** The first domain, the first token, and the first test inbox. */
const KEPT: readonly unknown[] = [301, 7001, 2001];

/** Texts that the emulator draws at random, or derives from random ones. */
const DRAWN =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b(?:inbox-)?(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{6,64}\b/g;

const FORMS = [
  {
    account: '/api',
    domainWord: 'domains',
    domainWrapper: 'domain',
    sandboxWord: 'sandboxes',
    sandboxWrapper: 'sandbox',
  },
  {
    account: '/api/accounts/1001',
    domainWord: 'sending_domains',
    domainWrapper: 'sending_domain',
    sandboxWord: 'inboxes',
    sandboxWrapper: 'inbox',
  },
] as const;

/** Every area equally often, and areas that many others need twice as often. */
const BY_AREA = [
  ...new Set(walkRequests.map(({ area }) => area)),
  'sending',
  'email-logs',
  'campaigns',
  'sandbox',
  'inbound',
].map((area) => walkRequests.filter((one) => one.area === area));

/** An id from a response, and the ids in the path of that request: those of what it is in. */
interface Known {
  readonly id: string | number;
  readonly within: Readonly<Record<string, string | number>>;
}

/** Random requests to an emulator, and a record of its answers. The same seed makes the same walk. */
export class Walk {
  emulator: Emulator;
  readonly #next: () => number;
  readonly #pools = new Map<string, Known[]>();
  readonly #tokens: string[] = [];
  readonly #areas = new Map<string, string[]>();
  #freshCount = 0;

  constructor(seed: number, options: Emulator.Options) {
    this.#next = random(seed);
    this.emulator = this.create(options);
  }

  /** An emulator like that of the walk, in its initial state. */
  create(options: Emulator.Options): Emulator {
    const receive = (request: Request) =>
      new Response(null, { status: request.url.length % 3 === 0 ? 500 : 200 });
    return createEmulator({
      now: () => START,
      token: 'a-token-of-the-walk',
      ...options,
      webhooks: { ...options.webhooks, receive },
    });
  }

  /** All responses, by area. */
  get transcript(): ReadonlyMap<string, readonly string[]> {
    return this.#areas;
  }

  async steps(count: number): Promise<void> {
    for (let step = 0; step < count; step += 1) {
      if (this.#next() < 0.15) await this.#control();
      else await this.#request(this.#pick(this.#pick(BY_AREA)));
    }
  }

  /** Records the state that is visible without a request. */
  async end(): Promise<void> {
    await this.emulator.webhooks.settled();
    const { webhooks, domains, requests } = this.emulator;
    // Leaves out the number of a post, which no receiver sees.
    this.#note('webhooks', JSON.stringify(webhooks.posts.map(({ id: _, ...post }) => post)));
    this.#note('sending', JSON.stringify(this.emulator.messages()));
    this.#note('sandbox', JSON.stringify(this.emulator.sandbox.messages()));
    this.#note('sending-domains', JSON.stringify(domains.list()));
    this.#note('requests', String(requests.length));
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#next() * values.length)] as T;
  }

  #known(pool: string): Known {
    const known = this.#pools.get(pool) ?? [];
    if (known.length === 0 || this.#next() < 0.05) return { id: this.#pick(NOBODY), within: {} };
    // The latest objects are the most likely to exist.
    return this.#pick(this.#next() < 0.7 ? known.slice(-4) : known);
  }

  #id(pool: string): string | number {
    return this.#known(pool).id;
  }

  readonly #draws: Draws = {
    next: () => this.#next(),
    pick: (values) => this.#pick(values),
    id: (pool) => this.#id(pool),
    fresh: () => {
      this.#freshCount += 1;
      return `fresh${this.#freshCount}`;
    },
  };

  async #request({ area, host, verb, path, pool, query, body }: WalkRequest): Promise<void> {
    const form = this.#pick(FORMS);
    const names = [...path.matchAll(/\{(\w+)\}/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in form));
    // Skips most requests without an existing object.
    if (names.some((name) => !this.#pools.has(name)) && this.#next() < 0.9) return;
    let within: Record<string, string | number> = {};
    for (const name of names.reverse()) {
      if (name in within && this.#next() < 0.95) continue;
      const known = this.#known(name);
      within = { ...known.within, ...within, [name]: known.id };
    }
    // The first domain and the first token are deleted rarely: little works without them.
    if (verb === 'DELETE' && this.#next() < (KEPT.includes(within[names[0] ?? '']) ? 0.97 : 0.5)) return;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      name in form
        ? form[name as keyof typeof form]
        : encodeURIComponent(within[name] ?? '').replace('%2520', '%20'),
    );
    const search = new URLSearchParams((query?.(this.#draws) ?? {}) as Record<string, string>).toString();
    const base = host === 'storage' || host === 'reader' ? '' : this.emulator.clientOptions().hosts[host];
    const sent = body === undefined ? undefined : this.#spoiled(renamed(body(this.#draws), form));
    const method = verb === 'GET' && this.#next() < 0.03 ? 'HEAD' : verb;
    const token =
      this.#next() < 0.96 ? this.emulator.clientOptions().token : this.#pick([...this.#tokens, 'unknown']);
    const credentials: Record<string, string> =
      this.#next() < 0.5 ? { authorization: `Bearer ${token}` } : { 'api-token': token };
    const url = `${base}${filled}${search === '' ? '' : `?${search}`}`;
    const text = await this.#exchange(area, method, url, credentials, sent);
    if (text !== undefined) this.#harvest(text, pool, within);
  }

  async #exchange(
    area: string,
    method: string,
    url: string,
    credentials: Record<string, string>,
    sent: string | undefined,
  ): Promise<string | undefined> {
    const response = await this.emulator.fetch(url, {
      method,
      headers: { ...credentials, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      body: sent ?? null,
      redirect: 'manual',
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const headers = [...response.headers].filter(([name]) => name !== 'date').map((pair) => pair.join(': '));
    this.#note(
      area,
      [`${method} ${url}`, response.status, ...headers.sort(), bytes.toString('latin1')].join('\n'),
    );
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return isJson && bytes.length > 0 ? bytes.toString('utf8') : undefined;
  }

  #note(area: string, line: string): void {
    const lines = this.#areas.get(area);
    if (lines === undefined) this.#areas.set(area, [line]);
    else lines.push(line);
  }

  #spoiled(body: unknown): string {
    if (this.#next() < 0.01) return this.#pick(['{', '[]', '5', '']);
    if (this.#next() > 0.12) return JSON.stringify(body);
    const copy = structuredClone(body) as Record<string, unknown>;
    let at = copy;
    while (this.#next() < 0.6) {
      const inner = Object.values(at).filter((value) => typeof value === 'object' && value !== null);
      if (inner.length === 0) break;
      at = this.#pick(inner) as Record<string, unknown>;
    }
    const keys = Object.keys(at);
    if (keys.length > 0) at[this.#pick(keys)] = this.#pick(ODD);
    return JSON.stringify(copy);
  }

  #add(pool: string, id: unknown, within: Known['within'] = {}): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const known = this.#pools.get(pool) ?? [];
    if (!known.some((one) => one.id === id)) this.#pools.set(pool, [...known, { id, within }].slice(-60));
  }

  #harvest(text: string, pool: string | undefined, within: Known['within']): void {
    const visit = (value: unknown, key: string, around: string): void => {
      if (Array.isArray(value)) for (const one of value) visit(one, key, around);
      else if (typeof value === 'object' && value !== null)
        for (const [name, inner] of Object.entries(value)) visit(inner, name, key);
      else if (key === 'id' && pool !== undefined && ['', 'data', 'messages'].includes(around))
        this.#add(pool, value, within);
      else if (key === 'id' && /^(sandbox|inbox)es$/.test(around)) this.#add('sandboxes', value);
      else if (key === 'uuid') this.#add('templateUuids', value);
      else if (key === 'message_id' || key === 'message_ids' || key === 'next_page_cursor')
        this.#add('logs', value);
      else if (key === 'rfc_message_id') this.#add('rfcIds', value);
      else if (key === 'thread_id') this.#add('threads', value);
      else if (key === 'domain_name') this.#add('domainNames', value);
      else if (key === 'last_id') this.#add('longIds', value);
      else if (key === 'token' && pool === 'tokens') this.#tokens.push(String(value));
      else if (/_?url$/.test(key) && String(value).includes('/storage/')) this.#add('links', value);
      else if (key === 'download_path' && String(value).includes('/testing_message_parts/'))
        this.#add('links', `${this.emulator.clientOptions().hosts.api}${String(value)}`);
    };
    visit(JSON.parse(text), '', '');
  }

  /** A POST with the emulator's own token. */
  async #own(area: string, path: string, body?: unknown): Promise<void> {
    const { hosts, token } = this.emulator.clientOptions();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await this.#exchange(
      area,
      'POST',
      hosts.api + path,
      headers,
      body === undefined ? undefined : JSON.stringify(body),
    );
  }

  async #control(): Promise<void> {
    const { emulator } = this;
    const pick = this.#pick.bind(this);
    const number = (pool: string) => Number(this.#id(pool));
    const controls: Record<string, () => unknown> = {
      advance: () =>
        emulator.clock.advance(pick([1, 900, 5000, 31_000, 61_000, HOUR, 30 * HOUR, 12 * 24 * HOUR])),
      'advance again': () => emulator.clock.advance(pick([500, 30_000, 60_000])),
      'add campaign': () =>
        this.#add(
          'campaigns',
          emulator.campaigns.add({ name: pick(['A', 'B']), state: pick(['draft', 'scheduled', 'paused']) }),
        ),
      'send a campaign': async () => {
        const list = Number(this.#id('lists'));
        for (const address of [`${pick(['ann', 'spam', 'unsubscribe'])}@x.io`, 'ben@x.io']) {
          const contact = { email: address, list_ids: [list], fields: { first_name: 'Ann' } };
          await this.#own('contacts', '/api/contacts', { contact });
        }
        const id = emulator.campaigns.add({
          contact_list_ids: [list],
          delivery_mode: pick(['rapid', 'gradual']),
          delivery_options: { emails_per_hour: 2 },
          template_attributes: { subject: 'Hi {{first_name}}', body_text: 'Leave: __unsubscribe_url__' },
        });
        await this.#own('campaigns', `/api/email_campaigns/${id}/start`);
      },
      unsubscribe: () => emulator.unsubscribe(pick(emulator.messages().slice(-4))),
      'set state': () =>
        emulator.campaigns.setState(number('campaigns'), pick(['draft', 'started', 'failed', 'queued'])),
      'add domain': () =>
        this.#add(
          'domains',
          emulator.domains.add({ name: `${this.#draws.fresh()}.example.net`, verified: pick([true, false]) }),
        ),
      'set verified': () => emulator.domains.setVerified(number('domains'), pick([true, false])),
      'add log': () =>
        this.#add(
          'logs',
          emulator.logs.add({
            to: pick(['ann@gmail.com', 'bounce@x.io', 'spam@x.io']),
            sent_at: pick([START - HOUR, START - 40 * 24 * HOUR, emulator.clock.now()]),
            ...pick([
              {},
              { subject: null, status: 'opted_out' },
              { raw: 'Raw: yes\r\n\r\nbody' },
              { events: [{ event_type: 'open', created_at: START }] },
            ]),
          }),
        ),
      'set billing': () => emulator.setBilling(pick(['within-limits', 'within-limits', 'exceeded'])),
      'add inbox': () => {
        const { folderId, inboxId, address } = emulator.inbound.add();
        this.#add('folders', folderId);
        this.#add('inboxes', inboxId, { folders: folderId });
        this.#add('addresses', address);
      },
      receive: () => {
        const answered = pick([{}, {}, { in_reply_to: String(this.#id('rfcIds')) }]);
        for (const { inboxId, messageId, threadId } of emulator.inbound.receive({
          to: String(this.#id('addresses')),
          from: pick(['Ann <ann@example.org>', 'bob@example.org']),
          cc: pick([[], ['carl@example.org']]),
          subject: pick(['Question', 'Re: Hello']),
          text: 'Hello there',
          headers: pick([{}, { 'X-Kind': 'a' }]),
          attachments: pick([[], [{ content: 'aGVsbG8=', filename: 'a.txt' }]]),
          ...answered,
        })) {
          this.#add('received', messageId, { inboxes: inboxId });
          this.#add('threads', threadId, { inboxes: inboxId });
        }
      },
      'add sandbox': () => this.#add('sandboxes', emulator.sandbox.add()),
      'create token': () =>
        this.#tokens.push(
          emulator.createToken(
            pick([
              { permissions: { campaigns: 'viewer', sending: 'none', sandbox: 'viewer', account: 'viewer' } },
              { domains: [301] },
              { accountId: 1002 },
            ]),
          ),
        ),
      emit: () => emulator.webhooks.emit(pick(['audit_log', 'campaigns']), { kind: pick(['a', 'b']) }),
      download: async () => {
        const url = String(this.#id('links'));
        const changed = pick([url, url, url, url.replace('signature=', 'signature=0')]);
        if (url.startsWith('http')) await this.#exchange('storage', 'GET', changed, {}, undefined);
      },
      'download again': async () => {
        const url = String(this.#id('links'));
        if (url.startsWith('http'))
          await this.#exchange('storage', 'GET', url, pick([{}, { authorization: 'Bearer x' }]), undefined);
      },
    };
    const name = pick(Object.keys(controls));
    try {
      await controls[name]?.();
    } catch (error) {
      this.#note('controls', `${name}: ${String(error)}`);
    }
    await emulator.webhooks.settled();
  }
}

/** The words that differ between the forms of a path, in the names of a body. */
function renamed(body: unknown, form: Readonly<Record<string, string>>): unknown {
  const text = JSON.stringify(body).replace(
    /\{(domainWrapper|sandboxWrapper)\}/g,
    (_, name: string) => form[name] ?? '',
  );
  return JSON.parse(text);
}

const digest = (lines: readonly string[]) =>
  createHash('sha256').update(lines.join('\n\n')).digest('hex').slice(0, 24);

/** A digest of the answers of each area: byte for byte, and with numbers for what is drawn at random. */
export function digests(transcript: ReadonlyMap<string, readonly string[]>) {
  const numbered = (lines: readonly string[]) => {
    const seen = new Map<string, string>();
    return lines.map((line) =>
      line.replace(DRAWN, (drawn) => {
        const known = seen.get(drawn) ?? `#${seen.size}`;
        seen.set(drawn, known);
        return known;
      }),
    );
  };
  return Object.fromEntries(
    [...transcript]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([area, lines]) => [
        area,
        { answers: lines.length, bytes: digest(lines), withoutDrawn: digest(numbered(lines)) },
      ]),
  );
}
