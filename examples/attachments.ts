/**
 * Attaches one file from every kind of source: base64 text, bytes, a Blob, a file on disk, a stream; and a picture that
 * the HTML shows. Then compares what arrived with what was sent.
 *
 *     npx tsx examples/attachments.ts
 */
import { createReadStream, openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { EmailPlatform, InvalidRequestError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { green, heading, line, red, row } from './print.ts';

const emulator = createEmulator();
const client = new EmailPlatform(emulator.clientOptions());
const email = {
  from: { email: 'reports@mail.example.com', name: 'Reports' },
  to: [{ email: 'ann@example.org' }],
  subject: 'The month in emails',
};

const folder = await mkdtemp(join(tmpdir(), 'attachments-'));
const path = join(folder, 'report.csv');
await writeFile(path, `day,emails\n${'2031-05-01,1200\n'.repeat(20_000)}`);
const bytes = await readFile(path);

/** Generates the report line by line, so that it is never in memory as a whole. */
function* lines(): Generator<Buffer> {
  yield Buffer.from('day,emails\n');
  for (let day = 0; day < 20_000; day += 1) yield Buffer.from('2031-05-01,1200\n');
}

const sources: Record<string, EmailPlatform.AttachmentContent> = {
  'base64 text': bytes.toString('base64'),
  'Buffer, Uint8Array': bytes,
  ArrayBuffer: new Uint8Array(bytes).buffer,
  'Blob in memory': new Blob([bytes]),
  'file on disk': await openAsBlob(path), // Read while it is encoded.
  'Node stream': Readable.toWeb(createReadStream(path)),
  generated: Readable.toWeb(Readable.from(lines())),
};

heading('One report from every source');
await client.sending.send({
  ...email,
  html: '<p><img src="cid:logo"> Your report is attached.</p>',
  attachments: [
    ...Object.entries(sources).map(([filename, content]) => ({ content, filename, type: 'text/csv' })),
    {
      content: new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      filename: 'logo.svg',
      type: 'image/svg+xml',
      disposition: 'inline', // Shown where the HTML says cid:logo, not listed as a file.
      content_id: 'logo',
    },
  ],
});

const [arrived] = emulator.messages();
for (const { filename, content, disposition } of arrived?.attachments ?? []) {
  const received = Buffer.from(content, 'base64');
  const verdict = received.equals(bytes) ? green('as it was sent') : red('not as it was sent');
  line(
    `${filename.padEnd(20)}${String(received.length).padStart(7)} bytes  ${disposition === 'inline' ? 'inline' : verdict}`,
  );
}

heading('A stream can be read only once');
try {
  const content = sources['Node stream'] ?? '';
  await client.sending.send({ ...email, text: 'Again.', attachments: [{ content, filename: 'report.csv' }] });
} catch (error) {
  if (!(error instanceof InvalidRequestError)) throw error;
  for (const issue of error.issues) line(`${red(error.name)}  ${issue.path} ${issue.message}`);
}

heading('A file that cannot be read');
try {
  const content = Readable.toWeb(createReadStream(join(folder, 'no-such-file.csv')));
  await client.sending.send({ ...email, text: 'Here.', attachments: [{ content, filename: 'report.csv' }] });
} catch (error) {
  if (!(error instanceof InvalidRequestError)) throw error;
  line(
    `${red(error.name)}  ${error.issues.map(({ path: where, message }) => `${where} ${message}`).join('; ')}`,
  );
  line(error.cause instanceof Error ? error.cause.message.replace(folder, '…') : '');
}
row('emails sent', emulator.messages().length);

await rm(folder, { recursive: true });
