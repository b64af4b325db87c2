import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mail } from '../../../tools/mail.ts';
import { still, wire } from '../../../tools/wire.ts';
import { anyCharacter } from '../../../../support/any-character.ts';
import { runs } from '../../../../support/extent.ts';

const text = fc.oneof(
  fc.constantFrom('\0', '\ud800', '\r\n.\r\n', '=?UTF-8?B??=', '"', '\\', 'ä"; x=y', '..', '😀'.repeat(300)),
  fc.string({ minLength: 1, unit: anyCharacter }),
);

test('any captured email can be read in full', async () => {
  const call = wire(still({ limits: false }));
  const emulator = still({ limits: false });
  const read = wire(emulator);
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (subject, name, filename, type) => {
      const attachments = [{ content: 'AAEC/w==', filename, type, content_id: name, disposition: 'inline' }];
      const body = { ...mail, subject, from: { ...mail.from, name }, text: subject, html: name, attachments };
      expect((await read('POST', '/api/send/2001', { host: 'sandbox', body })).status).toBe(200);
      const { value } = await read('GET', '/api/sandboxes/2001/messages');
      const [{ id } = { id: 0 }] = value as { id: number }[];
      const path = `/api/sandboxes/2001/messages/${id}`;
      for (const part of ['txt', 'html', 'htmlsource', 'raw', 'eml'])
        expect((await read('GET', `${path}/body.${part}`)).status).toBe(200);
      for (const part of ['', '/mail_headers', '/spam_report', '/analyze'])
        expect((await read('GET', path + part)).status).toBe(200);
      const files = (await read('GET', `${path}/attachments`)).value as { download_path: string }[];
      const download = await emulator.fetch(
        emulator.clientOptions().hosts.api + (files[0]?.download_path ?? ''),
      );
      expect(new Uint8Array(await download.arrayBuffer())).toEqual(Uint8Array.of(0, 1, 2, 255));
    }),
    { numRuns: runs(150) },
  );
  for (const query of [
    'last_id=x',
    'last_id=-1',
    'last_id=1e400',
    'page=NaN',
    'page=-5',
    'search=%00',
    'search=',
  ])
    expect((await call('GET', `/api/sandboxes/2001/messages?${query}`)).status).toBe(200);
});
