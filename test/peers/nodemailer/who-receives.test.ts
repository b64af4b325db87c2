/** The recipients of an email are those that a transporter's result names, and no plugin's envelope is passed over. */
import { EmailPlatform, InvalidRequestError } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../entries/journal/memory-store.ts';
import { rejection } from '../../support/expect-error.ts';
import { runs } from '../../support/extent.ts';
import { catcher, nodemailers, type Composed, type Message } from './peers.mjs';
import { mail, sent, setUp } from './set-up.ts';

const people = [
  'ann@example.org',
  'ben@example.org',
  'cleo@example.org',
  'ANN@example.org',
  'dan@bücher.example',
];

describe.each(nodemailers)('With nodemailer %s,', (_, nodemailer) => {
  describe('an entry without an address', () => {
    const good: readonly (readonly [unknown, string])[] = [
      ['ann@example.org', 'ann@example.org'],
      ['Ben <ben@example.org>', 'ben@example.org'],
      ['"Doe, Cleo (nobody)" <cleo@example.org>', 'cleo@example.org'],
      ['"Doe, Dan, PhD" <dan@example.org>', 'dan@example.org'],
      ['eve@example.org (Eve)', 'eve@example.org'],
      ['fay@example.org <fay@example.org>', 'fay@example.org'],
      ['Team: gil@example.org;', 'gil@example.org'],
      [{ name: 'Hal; "x", <y>', address: 'hal@example.org' }, 'hal@example.org'],
    ];
    const bad = [
      'nobody',
      'undefined',
      'Ann <>',
      '"ann@example.org"',
      '(Ann)',
      'Two Words',
      'Team: nobody;',
      '<>',
    ];
    const badInList = [
      ...bad,
      '',
      ' ',
      undefined,
      null,
      false,
      {},
      { name: 'Ann' },
      { name: 'Ann', address: '' },
      { address: ' ' },
    ];
    const field = fc.constantFrom('to', 'cc', 'bcc', 'replyTo');
    const isBad = { bad: true } as const;
    const inList = fc.oneof(
      fc.constantFrom(...good),
      fc.constantFrom(...badInList).map((one) => [one, isBad] as const),
    );
    const inText = fc.oneof(
      fc.constantFrom(
        ...good.flatMap(([one, address]) => (typeof one === 'string' ? [[one, address] as const] : [])),
      ),
      fc.constantFrom(...bad).map((one) => [one, isBad] as const),
    );
    const list = fc.uniqueArray(inList, {
      minLength: 1,
      maxLength: 4,
      selector: ([one]) => JSON.stringify(one),
    });
    const text = fc.uniqueArray(inText, { minLength: 1, maxLength: 4, selector: ([one]) => one });
    const value = fc.oneof(
      list.map((all) => ({ all, value: all.map(([one]) => one) as unknown })),
      fc
        .tuple(text, fc.constantFrom(', ', ',', '; ', ' ,\n'))
        .map(([all, comma]) => ({ all, value: all.map(([one]) => one).join(comma) as unknown })),
    );

    test('is refused with its place, and no other loses its recipient', async () => {
      const { emulator, transporter } = setUp(nodemailer, { client: { throttle: false } });
      await fc.assert(
        fc.asyncProperty(field, value, async (name, { all, value: given }) => {
          const before = emulator.messages().length;
          const { to: _to, ...others } = mail;
          const message = {
            ...others,
            ...(name !== 'to' && { to: 'zoe@example.org' }),
            [name]: given,
          } as Message;
          const outcome = await transporter.sendMail(message).catch((error: unknown) => error);
          const places = all.flatMap(([, is], index) =>
            is === isBad
              ? [{ path: `${name}[${index}]`, message: expect.stringMatching(/^has no address/) as string }]
              : [],
          );
          if (places.length > 0) {
            expect(outcome).toMatchObject({ issues: places });
            expect((outcome as InvalidRequestError).issues).toHaveLength(places.length);
            return;
          }
          const addresses = all.map(([, address]) => address);
          const expected =
            name === 'to' ? addresses : ['zoe@example.org', ...(name === 'replyTo' ? [] : addresses)];
          expect(
            emulator
              .messages()
              .slice(before)
              .map(({ to }) => to),
          ).toEqual(expected);
        }),
        { numRuns: runs(200) },
      );
    });

    test.each([
      ['in the header', { headers: { To: 'nobody, ben@example.org' }, to: undefined }, ['to[0]']],
      ['as the sender', { from: 'The Shop' }, ['from[0]']],
      ['beside a default', { to: ['nobody'], cc: 'ann@example.org' }, ['to[0]']],
      ['after others', { bcc: ['ann@example.org, Ben <ben@example.org>', 'x'] }, ['bcc[2]']],
    ])('%s is refused', async (__, message, paths) => {
      const { transporter } = setUp(nodemailer, { client: { defaults: { from: mail.from } } });
      const error = await rejection(transporter.sendMail({ ...mail, ...message }), InvalidRequestError);
      expect(error.issues.map(({ path }) => path)).toEqual(paths);
    });

    test.each([{ email: 'ann@example.org' }, [{ name: 'Ann', email: 'ann@example.org' }]])(
      'under the name of an email is told the right one: %j',
      async (to) => {
        const { transporter } = setUp(nodemailer);
        await expect(transporter.sendMail({ ...mail, to })).rejects.toThrow(
          'to[0]: has no address: in a message of nodemailer, its name is `address`',
        );
      },
    );

    test.each(['ann@@example.org', 'Ann <ann@@@example.org>', { name: 'Ann', address: 'ann@@example.org' }])(
      'is another matter than an @ that was typed twice: %j',
      async (to) => {
        const { transporter } = setUp(nodemailer);
        await expect(transporter.sendMail({ ...mail, to })).rejects.toThrow(
          'to[0]: has an address with two @ one after the other',
        );
      },
    );

    test.each(['ann@example.org ben@example.org', 'Ann <ann@example.org> Ben <ben@example.org>'])(
      'is another matter than several without a comma: %s',
      async (to) => {
        const { transporter } = setUp(nodemailer);
        await expect(transporter.sendMail({ ...mail, to })).rejects.toThrow(
          'to[0]: has several addresses: separate them with commas',
        );
      },
    );

    test.each([
      ['ben@exa mple.org', 'to[0]'],
      [['ann@example.org', 'ann lee@example.org'], 'to[1]'],
    ])('is another matter than words beside an address: %j', async (to, path) => {
      const { transporter } = setUp(nodemailer);
      await expect(transporter.sendMail({ ...mail, to })).rejects.toThrow(
        `${path}: has words beside its address: write Name <address>`,
      );
    });

    test.each([
      ['Ann <ann@example.org, Ben <ben@example.org>', 'to[0]'],
      ['Ann <ann@example.org, ben@example.org', 'to[0]'],
      [['zoe@example.org', 'Ann ann@example.org>'], 'to[1]'],
    ])('is another matter than one angle bracket of two: %j', async (to, path) => {
      const { emulator, transporter } = setUp(nodemailer);
      await expect(transporter.sendMail({ ...mail, to })).rejects.toThrow(
        `${path}: has an angle bracket without its counterpart`,
      );
      expect(emulator.messages()).toEqual([]);
    });

    test.each([
      ['Lee, Ann <ann@example.org>', ['to[0]']],
      ['Ben, Ann <ann@example.org>', ['to[0]']],
      ['Ben <>, Ann <ann@example.org>', ['to[0]']],
      [
        ['zoe@example.org', 'Lee, Ann, PhD <ann@example.org>'],
        ['to[1]', 'to[2]'],
      ],
    ])('is the part before a comma in a name without quotes: %j', async (to, paths) => {
      const { emulator, transporter } = setUp(nodemailer);
      const error = await rejection(transporter.sendMail({ ...mail, to }), InvalidRequestError);
      expect(error.issues).toEqual(
        paths.map((path) => ({
          path,
          message: `has no address: put a name with a comma in quotes, as in '"Lee, Ann" <ann@example.org>'`,
        })),
      );
      expect(emulator.messages()).toEqual([]);
    });

    test.each([
      ['Ann <ann@example.org>, Ben (sales <ben@example.org>, Cleo <cleo@example.org>', 'to[1]', 'open'],
      ['Ben <ben@example.org> (work, Ann <ann@example.org>', 'to[0]', 'open'],
      ['Ann <ann@example.org>, (Ben <ben@example.org>', 'to[1]', 'open'],
      ['ann@example.org, (ben@example.org', 'to[1]', 'open'],
      ['ann@example.org, "Ben <ben@example.org>', 'to[1]', 'open'],
      ['Ann <ann@example.org> ben@example.org', 'to[0]', 'an @ beside'],
      ['ben@example.org Ann <ann@example.org>', 'to[0]', 'an @ beside'],
      ['Ann <ann@example.org> und ben@example.org', 'to[0]', 'an @ beside'],
      ['zoe@example.org, Ben <ben@example.org>. ann@example.org', 'to[1]', 'an @ beside'],
      ['Ann <ann@example.org>、ben@example.org', 'to[0]', 'an @ beside'],
      ['ann@example.org、ben@example.org', 'to[0]', 'several'],
      ['ben@example.org: ann@example.org', 'to[0]', 'several'],
    ])('is another matter than an address that would be lost: %s', async (to, path, fault) => {
      const { emulator, transporter } = setUp(nodemailer);
      const error = await rejection(transporter.sendMail({ ...mail, to }), InvalidRequestError);
      expect(error.issues[0]).toEqual({ path, message: expect.stringContaining(fault) as string });
      expect(emulator.messages()).toEqual([]);
    });

    test('is never the fate of an address beside marks, words and other addresses', async () => {
      const { emulator, transporter } = setUp(nodemailer, { client: { throttle: false } });
      const outcomes = new Set<unknown>();
      const piece = fc.oneof(
        {
          weight: 3,
          arbitrary: fc.constantFrom('ann@example.org', '<ben@example.org>', 'Cleo <cleo@example.org>'),
        },
        { weight: 2, arbitrary: fc.constantFrom(', ', ';', ' ', 'Team: ') },
        fc.constantFrom(...Array.from('()"<>\\.、@[]\n\0'), ' und ', '"Lee, Dan" ', '(x)'),
      );
      const text = fc.array(piece, { minLength: 1, maxLength: 7 }).map((all) => all.join(''));
      await fc.assert(
        fc.asyncProperty(text, async (to) => {
          const before = emulator.messages().length;
          const outcome = await transporter.sendMail({ ...mail, to }).catch((error: unknown) => error);
          const arrived = emulator.messages().slice(before);
          outcomes.add(outcome instanceof InvalidRequestError ? 'refused' : arrived.length);
          if (outcome instanceof Error) return;
          // Quotes and comments are the only place where an address is no recipient.
          const shown = to.replace(/"(?:[^"\\]|\\.)*"|\([^()]*\)/gs, ' ');
          const wanted = ['ann', 'ben', 'cleo']
            .map((name) => `${name}@example.org`)
            .filter((one) => shown.includes(one));
          expect(wanted.filter((one) => !arrived.some((email) => email.to.includes(one)))).toEqual([]);
        }),
        {
          numRuns: runs(1000),
          examples: [
            ['ann@example.org, <ben@example.org>'],
            ['<ben@example.org>'],
            ['('],
            ['ann@example.org、, '],
          ],
        },
      );
      expect([...outcomes]).toEqual(expect.arrayContaining(['refused', 1, 2]));
    });

    test.each(['ann@example.org (Ann Lee)', '"Lee, Ann" ann@example.org', 'Ann Lee <ann@example.org>'])(
      'is another matter than a name: %s',
      async (to) => {
        const { transporter } = setUp(nodemailer);
        expect((await transporter.sendMail({ ...mail, to })).accepted).toEqual(['ann@example.org']);
      },
    );

    test.each([
      { cc: '' },
      { cc: [] },
      { cc: undefined },
      { bcc: 'Empty:;' },
      { cc: ['Empty:;'] },
      { cc: 'ben@example.org, ' },
    ])('is not a field without entries: %j', async (fields) => {
      const { transporter } = setUp(nodemailer);
      expect((await transporter.sendMail({ ...mail, ...fields })).accepted).toContain(mail.to);
    });
  });

  describe('an envelope that a plugin sets', () => {
    const led = (envelope: object, message: Message = mail) => {
      const { emulator, transporter } = setUp(nodemailer, {
        client: { defaults: { from: 'hello@mail.example.com' } },
      });
      transporter.use('stream', (one, done) => {
        one.message.setEnvelope(envelope);
        done();
      });
      return { emulator, outcome: transporter.sendMail(message) };
    };

    test.each<[string, object, Message?]>([
      ['to other people', { from: mail.from, to: ['dev@us.example'] }],
      ['to more people', { from: mail.from, to: [mail.to, 'dev@us.example'] }],
      ['without recipients', { from: mail.from, to: [] }],
      ['from another sender', { from: 'bounces@mail.example.com', to: mail.to }],
      ['without a sender', { to: mail.to }],
      [
        'in place of one of the message',
        { from: mail.from, to: 'dev@us.example' },
        { ...mail, envelope: { from: mail.from, to: mail.to } },
      ],
      ['where the client has the sender', { to: 'dev@us.example' }, { ...mail, from: undefined }],
    ])('%s is refused', async (__, envelope, message) => {
      const { emulator, outcome } = led(envelope, message);
      const error = await rejection(outcome, InvalidRequestError);
      expect(error).toMatchObject({ code: 'EENVELOPE', responseCode: 554 });
      expect(error.issues).toEqual([
        {
          path: 'envelope',
          message: 'must have the addresses of from, to, cc and bcc: correct it, or leave it out',
        },
      ]);
      expect(sent(emulator)).toEqual([]);
    });

    test('with more than addresses is refused by that name', async () => {
      const { outcome } = led({ from: mail.from, to: mail.to, size: 7 });
      expect((await rejection(outcome, InvalidRequestError)).issues).toEqual([
        { path: 'envelope.size', message: 'cannot be sent' },
      ]);
    });

    test('as the headers say it is sent', async () => {
      const { emulator, outcome } = led({
        from: 'Hello <HELLO@mail.example.com>',
        to: ['Ann <ANN@example.org>'],
      });
      await outcome;
      expect(emulator.messages().map(({ to }) => to)).toEqual(['ann@example.org']);
    });
  });

  test('a default sender goes with reply addresses, and with none', async () => {
    const { emulator, transporter } = setUp(nodemailer, {
      client: { defaults: { from: 'hello@mail.example.com' } },
    });
    const { from: _from, ...anonymous } = mail;
    await transporter.sendMail({ ...anonymous, replyTo: 'desk@example.com' });
    await transporter.sendMail({ ...anonymous, replyTo: ['desk@example.com', 'shop@example.com'] });
    const { envelope } = await transporter.sendMail(anonymous);
    expect(envelope).toEqual({ from: false, to: [mail.to] });
    expect(emulator.messages().map(({ from }) => from)).toEqual(Array(3).fill('hello@mail.example.com'));
  });

  test('without a plugin every envelope is that of the headers', async () => {
    const { emulator, transporter } = setUp(nodemailer, { client: { throttle: false } });
    const address = fc.oneof(
      fc.constantFrom(...people),
      fc.constantFrom(...people).map((one) => `Name, of <${one}>`.replace(',', '')),
      fc.constantFrom(...people).map((one) => ({ name: 'A, "b"', address: one })),
      fc.constant('Team: ann@example.org, Ben <ben@example.org>;'),
      fc.constant('Empty:;'),
    );
    const field = fc.oneof(address, fc.array(address, { maxLength: 3 }));
    const message = fc.record(
      { to: address, cc: field, bcc: field, replyTo: field },
      { requiredKeys: ['to'] },
    );
    await fc.assert(
      fc.asyncProperty(message, fc.boolean(), async (fields, isInHeaders) => {
        const before = emulator.messages().length;
        const { to, ...others } = fields;
        const given = isInHeaders ? { ...others, headers: [{ key: 'To', value: to }] } : fields;
        const { from, subject, text } = mail;
        const outcome = await transporter
          .sendMail({ from, subject, text, ...given })
          .catch((error: unknown) => error);
        const arrived = emulator
          .messages()
          .slice(before)
          .map(({ to: one }) => one);
        if (outcome instanceof InvalidRequestError)
          expect(outcome.issues.map(({ path }) => path)).toEqual(['to']);
        else expect(outcome).toMatchObject({ accepted: arrived, envelope: { to: arrived } });
      }),
      { numRuns: runs(150) },
    );
  });

  test('with plugins, those receive it who would by SMTP, or it is refused', async () => {
    const smtp = await catcher();
    const { emulator, transporter } = setUp(nodemailer, { client: { throttle: false } });
    const bySmtp = nodemailer.createTransport({ host: '127.0.0.1', port: smtp.port, ignoreTLS: true });
    let change: (one: Composed) => void = () => undefined;
    for (const one of [transporter, bySmtp]) {
      one.use('stream', (composed, done) => {
        change(composed);
        done();
      });
    }
    const person = fc.constantFrom('ann@example.org', 'Ben <ben@example.org>', 'dan@bücher.example');
    const header = fc.constantFrom('To', 'Cc', 'Bcc');
    const changes = fc.oneof(
      fc.tuple(header, person).map(
        ([name, who]) =>
          ({ message }: Composed) =>
            message.addHeader(name, who),
      ),
      fc.tuple(header, person).map(
        ([name, who]) =>
          ({ message }: Composed) =>
            message.setHeader(name, who),
      ),
      fc.array(person, { maxLength: 3 }).map(
        (to) =>
          ({ message }: Composed) =>
            message.setEnvelope({ from: mail.from, to }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(person, fc.array(person, { maxLength: 2 }), changes, async (to, cc, one) => {
        change = one;
        const before = [emulator.messages().length, smtp.caught.length] as const;
        const outcome = await transporter.sendMail({ ...mail, to, cc }).catch((error: unknown) => error);
        const arrived = emulator.messages().slice(before[0]);
        if (outcome instanceof InvalidRequestError) {
          expect([outcome.issues.map(({ path }) => path), arrived]).toEqual([['envelope'], []]);
          return;
        }
        await bySmtp.sendMail({ ...mail, to, cc });
        // The server shows domains in their own letters.
        const ascii = (address: string) => address.replace('bücher', 'xn--bcher-kva');
        const caught = smtp.caught.slice(before[1]).flatMap((email) => email.to.map(ascii));
        expect(arrived.map((email) => email.to).sort()).toEqual([...caught].sort());
      }),
      { numRuns: runs(100) },
    );
    bySmtp.close();
    await smtp.close();
  });

  describe('with a guard that redirects,', () => {
    const recipients = { allow: ['@us.example'], otherwise: { redirectTo: 'team@us.example' } };
    const message = {
      ...mail,
      to: 'boss@customer.example, bob@us.example',
      cc: 'cfo@customer.example',
      bcc: 'eve@us.example',
    };

    test('the result names the recipients, each with its id', async () => {
      const { emulator, transporter } = setUp(nodemailer, { client: { recipients } });
      const info = await transporter.sendMail(message);
      const emails = emulator.messages();
      expect(info.accepted).toEqual(['bob@us.example', 'team@us.example', 'eve@us.example']);
      expect(emails.map(({ to }) => to)).toEqual(info.accepted);
      expect(info).toMatchObject({
        messageIds: emails.map(({ id }) => id),
        messageId: emails[0]?.id,
        envelope: { from: mail.from, to: info.accepted },
        rejected: [],
      });
    });

    test('the same is said again for a key', async () => {
      const journal = createJournal(new MemoryStore());
      const { transporter } = setUp(nodemailer, { client: { recipients, journal } });
      const first = await transporter.sendMail({ ...message, idempotencyKey: 'welcome/7' });
      expect(await transporter.sendMail({ ...message, idempotencyKey: 'welcome/7' })).toEqual(first);
    });

    test('a sandbox has everybody, however it is chosen', async () => {
      for (const [client, transport, own] of [
        [{ stream: 'sandbox' }, {}, {}],
        [{}, { stream: 'sandbox' }, {}],
        [{}, {}, { stream: 'sandbox' }],
      ] as const) {
        const { emulator, transporter } = setUp(nodemailer, { client: { recipients, ...client }, transport });
        const { accepted } = await transporter.sendMail({ ...message, ...own });
        expect(accepted).toEqual([
          'boss@customer.example',
          'bob@us.example',
          'cfo@customer.example',
          'eve@us.example',
        ]);
        expect(emulator.messages().map(({ to }) => to)).toEqual(accepted);
      }
    });

    test('redirects of a derived client count, and of the client that it is derived from', async () => {
      const { emulator, client } = setUp(nodemailer, { client: { recipients } });
      const { emailPlatformTransport } = await import('email-platform/nodemailer');
      const derived = client.withOptions({
        recipients: { allow: ['bob@us.example'], otherwise: { redirectTo: 'cfo@customer.example' } },
      });
      expect(derived).toBeInstanceOf(EmailPlatform);
      const transporter = nodemailer.createTransport(emailPlatformTransport({ client: derived }));
      const { accepted } = await transporter.sendMail(message);
      expect(accepted).toEqual(['bob@us.example', 'team@us.example']);
      expect(emulator.messages().map(({ to }) => to)).toEqual(accepted);
    });
  });
});
