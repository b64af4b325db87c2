import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** What the compiler says of a program that sends an email. */
function saidOf(mails: readonly string[]): string[] {
  const file = join(root, 'test/resources/sending/said-of.ts');
  const text = [
    "import type { EmailPlatform, SendParams, SendParamsWithout } from '../../../src/index.ts';",
    'declare const client: EmailPlatform;',
    'declare const html: string | undefined;',
    "const template_uuid = 'b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77';",
    ...mails,
    'export { client, html, template_uuid };',
  ].join('\n');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root, {}, undefined);
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version, ...more) =>
    path === file ? ts.createSourceFile(path, text, version) : read(path, version, ...more);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  return program
    .getSemanticDiagnostics(source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test("the compiler names the field: a template's subject, an unknown one; and takes what is right", () => {
  const [subject, unknown, ...others] = saidOf([
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
