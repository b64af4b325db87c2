import { expect, test } from 'vitest';
import { compile, extract, root, write } from '../../docs/snippets.ts';

/** The compiler's errors about a program that sends emails. */
function errorsOf(mails: readonly string[]): string[] {
  const block = [
    '```ts',
    "import type { EmailPlatform, OwnEmail, SendParams } from 'email-platform';",
    'declare const client: EmailPlatform;',
    'declare const html: string | undefined;',
    "const template_uuid = 'b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77';",
    ...mails,
    '```',
  ].join('\n');
  return compile(write(extract('emails.md', block), `${root}.tmp/params-errors/`));
}

test("the compiler names the field: a template's subject, an unknown one; and takes what is right", () => {
  const [subject, unknown, ...others] = errorsOf([
    "void client.sending.send({ to: ['a@b.test'], template_uuid, subject: 'Hi' });",
    "void client.sending.send({ to: ['a@b.test'], subject: 'Hi', text: 'Hi', replyTo: 'c@d.test' });",
    "void client.sending.send({ to: ['a@b.test'], subject: 'Hi', text: 'Hi', html });",
    "export const fromUs = (mail: Omit<OwnEmail, 'from'>) => client.sending.send({ ...mail, from: 'c@d.test' });",
    'export const again = (mail: SendParams) => client.sending.send({ ...mail, from: undefined });',
  ]);
  expect(subject).toContain("Types of property 'subject' are incompatible");
  expect(unknown).toContain("'replyTo'");
  expect(others).toEqual([]);
});
