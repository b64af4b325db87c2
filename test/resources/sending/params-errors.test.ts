import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** The compiler's errors about a program that sends emails. */
function errorsOf(mails: readonly string[]): string[] {
  mkdirSync(join(root, '.tmp'), { recursive: true });
  const folder = mkdtempSync(join(root, '.tmp/params-errors-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = [
    "import type { EmailPlatform, SendParams, SendParamsWithout } from 'email-platform';",
    'declare const client: EmailPlatform;',
    'declare const html: string | undefined;',
    "const template_uuid = 'b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77';",
    ...mails,
    'export { client, html, template_uuid };',
  ].join('\n');
  writeFileSync(join(folder, 'mails.ts'), text);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', files: ['mails.ts'], include: [] }),
  );
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const args = [compiler, '-p', folder, '--singleThreaded', '--pretty', 'false'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  // Further lines of an error are indented.
  return stdout.trimEnd().split(/\n(?! )/);
}

test("the compiler names the field: a template's subject, an unknown one; and takes what is right", () => {
  const [subject, unknown, ...others] = errorsOf([
    "void client.sending.send({ to: ['a@b.test'], template_uuid, subject: 'Hi' });",
    "void client.sending.send({ to: ['a@b.test'], subject: 'Hi', text: 'Hi', replyTo: 'c@d.test' });",
    "void client.sending.send({ to: ['a@b.test'], subject: 'Hi', text: 'Hi', html });",
    "export const fromUs = (mail: SendParamsWithout<'from'>) => client.sending.send({ ...mail, from: 'c@d.test' });",
    'export const again = (mail: SendParams) => client.sending.send({ ...mail, from: undefined });',
  ]);
  expect(subject).toContain("Types of property 'subject' are incompatible");
  expect(unknown).toContain("'replyTo'");
  expect(others).toEqual([]);
});
