import { describe, expect, test } from 'vitest';
import { connected } from './official-client.ts';

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
