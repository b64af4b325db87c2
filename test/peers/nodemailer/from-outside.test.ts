/** What a message from outside must not choose: files and addresses that are read, headers, fields of this package. */
import { createServer } from 'node:http';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, InvalidRequestError } from 'email-platform';
import { emailPlatformTransport } from 'email-platform/nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OWN_FIELDS } from '../../../src/entries/nodemailer/fields.ts';
import { rejection, thrown } from '../../support/expect-error.ts';
import { handlebars, htmlToText, nodemailers, type Composed, type Message } from './peers.mjs';
import { mail, sent, setUp } from './set-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'email-platform-'));
const file = join(folder, 'notes.txt');
let loaded = 0;
const server = createServer((_, response) => {
  loaded += 1;
  response.end('from the web');
});
let url = '';
beforeAll(async () => {
  writeFileSync(file, '<p>from a file</p>');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/web.txt`;
});
beforeEach(() => (loaded = 0));
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const none = { disableFileAccess: true, disableUrlAccess: true };
const places: readonly (readonly [string, (from: string) => Message])[] = [
  ['text.path', (path) => ({ text: { path } })],
  ['html.path', (path) => ({ html: { path } })],
  ['icalEvent.path', (path) => ({ icalEvent: { path } })],
  ['attachments[0].path', (path) => ({ attachments: [{ path }] })],
  ['attachments[0].content.path', (path) => ({ attachments: [{ filename: 'a', content: { path } }] })],
  ['alternatives[0].path', (path) => ({ alternatives: [{ filename: 'a', path }] })],
];
const kinds = [
  ['a file', 'disableFileAccess', () => file],
  ['an address', 'disableUrlAccess', () => url],
] as const;

describe.each(nodemailers)('With nodemailer %s,', (version, nodemailer) => {
  const isOldest = version === '8.0.5';

  test.runIf(isOldest)('a transporter with either option is refused: nodemailer ignores it', () => {
    for (const option of ['disableFileAccess', 'disableUrlAccess'] as const) {
      const error = thrown(() => setUp(nodemailer, { transport: { [option]: true } }), ConfigurationError);
      expect(error.option).toBe(option);
      expect(error.message).toBe(`${option} needs nodemailer 8.0.9 or later: an earlier version ignores it`);
    }
    expect(setUp(nodemailer, { transport: { disableFileAccess: false } }).transporter).toBeDefined();
  });

  /** Who switches them off: the message, the transporter's defaults, or the transport, whatever the message says. */
  const ways: readonly (readonly [own: object, transport: object, defaults: object])[] = [
    [none, {}, {}],
    [{}, {}, none],
    ...(isOldest
      ? []
      : ([
          [{}, none, {}],
          [{ disableFileAccess: false, disableUrlAccess: false }, none, {}],
        ] as const)),
  ];

  test.each(places)('%s is refused, wherever files and addresses were switched off', async (path, fields) => {
    const part = path.replace(/\..*/, '');
    for (const [own, transport, defaults] of ways) {
      const { emulator, transporter } = setUp(nodemailer, { transport, defaults: { ...defaults } });
      for (const [what, option, from] of kinds) {
        const error = await rejection(
          transporter.sendMail({ ...mail, ...fields(from()), ...own }),
          InvalidRequestError,
        );
        expect(error).toMatchObject({ code: 'EMESSAGE', responseCode: 554 });
        expect(error.issues).toEqual([{ path: part, message: `must not be ${what}: ${option} is set` }]);
      }
      expect(sent(emulator)).toEqual([]);
    }
    expect(loaded).toBe(0);
  });

  test.skipIf(isOldest)('the plugins that read a body before the transport do not read it', async () => {
    for (const own of [{}, { disableFileAccess: false, disableUrlAccess: false }]) {
      for (const [, , from] of kinds) {
        const { emulator, transporter } = setUp(nodemailer, { transport: none });
        const seen: unknown[] = [];
        transporter.use('compile', htmlToText());
        transporter.use('compile', (one, done) => {
          seen.push(one.data.text, one.data.html);
          done();
        });
        const html = { path: from() };
        const { text: _, ...noText } = mail;
        await expect(transporter.sendMail({ ...noText, html, ...own })).rejects.toThrow('must not be a');
        await expect(
          transporter.sendMail({ ...noText, html, attachDataUrls: true, ...own }),
        ).rejects.toMatchObject({ code: expect.stringMatching(/^E(FILE|URL)ACCESS$/) as unknown });
        expect([seen, sent(emulator), loaded]).toEqual([[], [], 0]);
      }
    }
  });

  test.skipIf(isOldest)('a file that a plugin names is not read, even if it switches files on', async () => {
    const { emulator, transporter } = setUp(nodemailer, { transport: none });
    transporter.use('compile', (one, done) => {
      Object.assign(one.data, { disableFileAccess: false, attachments: [{ path: file }] });
      done();
    });
    const error = await rejection(transporter.sendMail(mail), InvalidRequestError);
    expect(error.issues).toEqual([
      { path: 'attachments[0]', message: 'must not be a file: disableFileAccess is set' },
    ]);
    expect(sent(emulator)).toEqual([]);
  });

  test.skipIf(isOldest)(
    'only what is switched off is refused, and a stream and a data URL are content',
    async () => {
      const { emulator, transporter } = setUp(nodemailer, { transport: { disableFileAccess: true } });
      await transporter.sendMail({ ...mail, text: { path: url } });
      expect(emulator.messages()[0]).toMatchObject({ text: 'from the web' });
      const both = setUp(nodemailer, { transport: none });
      await both.transporter.sendMail({
        ...mail,
        text: createReadStream(file),
        html: '<img src="data:image/png;base64,iVBORw==">',
        attachDataUrls: true,
        attachments: [{ path: 'data:text/plain,hello', filename: 'a.txt' }],
      });
      const [email] = both.emulator.messages();
      expect(email).toMatchObject({ text: '<p>from a file</p>' });
      expect(email?.attachments).toHaveLength(2);
    },
  );

  describe('a line break in a prepared header', () => {
    const adds: readonly (readonly [
      string,
      (transporter: ReturnType<typeof setUp>['transporter'], value: unknown) => Message,
    ])[] = [
      ['of the message', (_, value) => ({ headers: { 'X-A': value } })],
      ['in a list of headers', (_, value) => ({ headers: [{ key: 'X-A', value }] })],
      [
        'in a message with names of its own',
        (_, value) => ({ headers: { 'X-A': value }, normalizeHeaderKey: (key: string) => key.toLowerCase() }),
      ],
      [
        'of a plugin',
        (transporter, value) => {
          transporter.use('stream', ({ message }: Composed, done) => {
            message.addHeader('X-A', value);
            done();
          });
          return {};
        },
      ],
    ];
    const breaks = [
      'a\r\nBcc: ben@example.org',
      'a\nX-B: b',
      'a\r\nTo: ben@example.org',
      'a\r\n\r\nbody',
      'a\r\n',
      'a\rb',
    ];

    test.each(adds)('%s is refused, if it begins another', async (_, add) => {
      for (const value of breaks) {
        const { emulator, transporter } = setUp(nodemailer);
        const error = await rejection(
          transporter.sendMail({ ...mail, ...add(transporter, { prepared: true, value }) }),
          InvalidRequestError,
        );
        expect(error.issues.map(({ path }) => path.toLowerCase())).toContain('headers.x-a');
        expect(error.message).not.toContain('ben@');
        expect(sent(emulator)).toEqual([]);
      }
    });

    test.each(adds)('%s is sent, if it only folds the line', async (_, add) => {
      const { emulator, transporter } = setUp(nodemailer);
      await transporter.sendMail({ ...mail, ...add(transporter, { prepared: true, value: 'a\r\n b\n\tc' }) });
      expect(Object.values(emulator.messages()[0]?.headers ?? {})).toEqual(['a b\tc']);
    });
  });

  test('a line break in the comment of a list begins no header', async () => {
    const { emulator, transporter } = setUp(nodemailer);
    const help = [{ url: 'https://example.com/h' }, { url: 'https://example.com/i', comment: 'a\r\nX-B: b' }];
    const outcome = transporter.sendMail({ ...mail, list: { help } });
    if (isOldest) {
      // This nodemailer writes it as it is.
      const { issues } = await rejection(outcome, InvalidRequestError);
      expect(issues).toEqual([
        { path: 'headers.List-Help', message: 'must not have a line break that begins another header' },
      ]);
    } else {
      await outcome;
      expect(Object.keys(emulator.messages()[0]?.headers ?? {})).toEqual(['List-Help']);
    }
  });

  describe('of the fields of this package', () => {
    const values: Readonly<Record<keyof typeof OWN_FIELDS, unknown>> = {
      stream: 'bulk',
      category: 'letters',
      customVariables: { user: 7 },
      template: { uuid: 'c0ffee00-0000-4000-8000-000000000000' },
      idempotencyKey: 'welcome/7',
    };
    const names = Object.keys(values) as (keyof typeof OWN_FIELDS)[];

    test.each(names)('%s is refused, unless the transport names it', async (name) => {
      const others = names.filter((one) => one !== name);
      for (const fromMessage of [[], others]) {
        const { emulator, transporter } = setUp(nodemailer, { transport: { fromMessage } });
        const error = await rejection(
          transporter.sendMail({ ...mail, [name]: values[name] }),
          InvalidRequestError,
        );
        expect(error.issues).toEqual([
          { path: name, message: 'must not be in a message: the option `fromMessage` does not name it' },
        ]);
        expect(sent(emulator)).toEqual([]);
      }
    });

    test('only the fields that the transport names are sent', async () => {
      const { emulator, transporter } = setUp(nodemailer, {
        transport: { fromMessage: ['category'], stream: 'bulk' },
      });
      await transporter.sendMail({ ...mail, category: 'letters', idempotencyKey: undefined });
      expect(emulator.messages()).toMatchObject([{ category: 'letters', stream: 'bulk' }]);
    });

    test('a key that is undefined is refused, unless messages have none', async () => {
      const { emulator, transporter } = setUp(nodemailer);
      const error = await rejection(
        transporter.sendMail({ ...mail, idempotencyKey: undefined }),
        InvalidRequestError,
      );
      expect(error.issues).toEqual([
        { path: 'idempotencyKey', message: 'is undefined: leave it out to send without a key' },
      ]);
      expect(sent(emulator)).toEqual([]);
    });

    test('text as a template is left to plugins', async () => {
      const { emulator, transporter } = setUp(nodemailer, { transport: { fromMessage: [] } });
      writeFileSync(join(folder, 'welcome.handlebars'), '<h1>Hello {{name}}</h1>');
      const viewEngine = { partialsDir: folder, layoutsDir: folder, defaultLayout: '' };
      transporter.use('compile', handlebars({ viewEngine, viewPath: folder }));
      await transporter.sendMail({ ...mail, template: 'welcome', context: { name: 'Ann' } });
      expect(emulator.messages()).toMatchObject([{ html: '<h1>Hello Ann</h1>' }]);
    });
  });
});

test('a transporter that does not say its version counts as an old one', () => {
  const [, newest] = nodemailers.at(-1) ?? expect.fail('no nodemailer');
  for (const [versionString, isRefused] of [
    [undefined, true],
    [() => 'a fork without a number', true],
    [() => 'nodemailer (8.0.8; +https://nodemailer.com/; email-platform/1)', true],
    [() => 'nodemailer (7.9.9; +x)', true],
    [() => 'nodemailer (8.0.10; +x)', false],
    [() => 'nodemailer (8.1.0; +x)', false],
    [() => 'nodemailer (11.0.0; +x)', false],
  ] as const) {
    const { client } = setUp(newest);
    const transport = emailPlatformTransport({ client, disableUrlAccess: true }) as unknown as {
      mailer: object;
    };
    const join = () => {
      transport.mailer = { options: {}, getVersionString: versionString, use: () => undefined };
    };
    if (isRefused) expect(join).toThrow(ConfigurationError);
    else expect(join).not.toThrow();
  }
});
