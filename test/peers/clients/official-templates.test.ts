import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { checkTemplates, pullTemplates, pushTemplates } from 'email-platform/templates';
import { expect, onTestFinished, test } from 'vitest';
import { connected } from './official-client.ts';

test("the service's own client reads what push wrote, and pull takes what it writes", async () => {
  const { emulator, client: official } = connected();
  const client = new EmailPlatform(emulator.clientOptions());
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'receipt'));
  const fields = { name: 'Receipt “7”', subject: 'Your order, {{{name}}}', category: 'orders' };
  writeFileSync(join(folder, 'receipt/template.json'), JSON.stringify(fields));
  writeFileSync(join(folder, 'receipt/body.html'), '<p>Привет {{name}}</p>\r\n');

  expect(await pushTemplates(client, folder)).toMatchObject({ created: ['receipt'], problems: [] });
  const lock = JSON.parse(readFileSync(join(folder, 'templates.lock.json'), 'utf8')) as {
    readonly 1001: { readonly receipt: { readonly id: number; readonly uuid: string } };
  };
  const { id, uuid } = lock[1001].receipt;
  const bodies = { body_html: '<p>Привет {{name}}</p>\n', body_text: null };
  expect(await official.templates.getList()).toMatchObject([{ id, uuid, ...fields, ...bodies }]);

  await official.templates.update(id, { subject: 'Thanks, {{full_name}}', body_text: 'Hello' });
  const { findings } = await checkTemplates(client, folder);
  expect(findings).toMatchObject([{ kind: 'new', variable: 'full_name', isFailure: true }]);
  expect(await pullTemplates(client, folder)).toMatchObject({ updated: ['receipt'], problems: [] });
  expect(readFileSync(join(folder, 'receipt/body.txt'), 'utf8')).toBe('Hello');
  expect(await checkTemplates(client, folder)).toMatchObject({ findings: [] });
});
