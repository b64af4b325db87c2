import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MESSAGE_FIELDS, PART_FIELDS } from '../../../src/entries/nodemailer/fields.ts';
import { root } from '../../docs/snippets.ts';
import { hostsThatReadOnce } from '../../support/compiler-hosts.ts';
import { installPacked, pack } from '../../support/packed.ts';

const folder = import.meta.dirname;
const packages = join(folder, 'node_modules');

/** Where the compiler finds nodemailer's types: its own since version 10, before that a package beside it. */
const TYPES: Readonly<Record<string, readonly [index: string, others: string]>> = {
  '8 and 9': [join(packages, 'types-nodemailer-8/index.d.ts'), join(packages, 'types-nodemailer-8/lib/*')],
  10: [join(packages, 'nodemailer/dist/esm/nodemailer.d.ts'), join(packages, 'nodemailer/dist/esm/*')],
};
type Types = (typeof TYPES)[string];

const settings = ([index, others]: Types): ts.CompilerOptions => ({
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  esModuleInterop: true,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  paths: {
    nodemailer: [index],
    'nodemailer/lib/*': [others],
    'email-platform': [join(root, 'src/index.ts')],
    'email-platform/nodemailer': [join(root, 'src/entries/nodemailer/index.ts')],
  },
});

const hostFor = hostsThatReadOnce();

/** A program of one file, which is not on the disk. */
function programOf(nodemailer: Types, text: string) {
  const options = settings(nodemailer);
  const path = join(folder, 'program-in-memory.ts');
  const host = hostFor(options);
  const getSourceFile = host.getSourceFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, ...others) =>
    name === path
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
      : getSourceFile(name, ...others);
  const program = ts.createProgram([path], options, host);
  const source = program.getSourceFile(path) ?? expect.fail('no program');
  return { program, source };
}

/** The compiler's complaints about a program. */
function complaints(nodemailer: Types, text: string): string[] {
  const { program, source } = programOf(nodemailer, text);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}

/** The fields of the types in a program that are exported under these names; of each member, if it is a union. */
function fieldsOf(nodemailer: Types, text: string): Record<string, string[]> {
  const { program, source } = programOf(nodemailer, text);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(source) ?? expect.fail('no module');
  return Object.fromEntries(
    checker.getExportsOfModule(module).map((symbol) => {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      return [symbol.name, checker.getPropertiesOfType(type).map(({ name }) => name)];
    }),
  );
}

const OWN = ['stream', 'category', 'customVariables', 'template', 'idempotencyKey'];

describe.each(Object.entries(TYPES))('The types of nodemailer %s', (version, nodemailer) => {
  const found = fieldsOf(
    nodemailer,
    version === '10'
      ? `import type { SendMailOptions, Attachment as A, AttachmentLike as B, IcalAttachment as C } from 'nodemailer';
         export interface Message extends SendMailOptions {}
         export interface Attachment extends A {}
         export interface Alternative extends B {}
         export interface Event extends C {}`
      : `import Mail from 'nodemailer/lib/mailer';
         export interface Message extends Mail.Options {}
         export interface Attachment extends Mail.Attachment {}
         export interface Alternative extends Mail.AmpAttachment {}
         export interface Event extends Mail.IcalAttachment {}`,
  );

  test('have no field of a message that the table does not name', () => {
    expect(found.Message?.length).toBeGreaterThan(30);
    expect(found.Message?.filter((name) => !Object.hasOwn(MESSAGE_FIELDS, name))).toEqual([]);
  });

  test.each(['Attachment', 'Alternative', 'Event'])(
    'have no field of an %s that the table does not name',
    (part) => {
      expect(found[part]?.length).toBeGreaterThan(5);
      expect(found[part]?.filter((name) => !Object.hasOwn(PART_FIELDS, name))).toEqual([]);
    },
  );

  const program = (statements: string) => `
    import nodemailer, { type SendMailOptions } from 'nodemailer';
    import { EmailPlatform } from 'email-platform';
    import { emailPlatformTransport } from 'email-platform/nodemailer';
    const client = new EmailPlatform();
    const transporter = nodemailer.createTransport(emailPlatformTransport({ client, stream: 'bulk' }));
    const mail: SendMailOptions = { from: 'a@example.com', to: 'b@example.com' };
    ${statements}`;

  test('take the transport, and have its fields', () => {
    expect(
      complaints(
        nodemailer,
        program(`
          const info = await transporter.sendMail({
            ...mail,
            stream: 'transactional',
            category: 'orders',
            customVariables: { order: 7, isFirst: true, by: 'Ann' },
            template: { uuid: 'u', variables: { name: 'Ann' } },
            idempotencyKey: 'order-7',
          });
          const id: string = info.messageId;
          await transporter.sendMail({ ...mail, template: 'welcome' });
          await transporter.verify();
          transporter.on('idle', () => transporter.isIdle());
          transporter.close();
          interface OfAnotherLibrary extends SendMailOptions { template?: string }
          export {};`),
      ),
    ).toEqual([]);
  });

  test('refuse wrong values of its fields, and unknown fields', () => {
    const wrong = [
      "stream: 'slow'",
      'category: 7',
      'customVariables: { order: {} }',
      'template: { id: 7 }',
      'keys: 1',
    ];
    const told = complaints(
      nodemailer,
      program(
        wrong
          .map((field, n) => `export const wrong${n}: SendMailOptions = { ...mail, ${field} };`)
          .join('\n'),
      ),
    );
    expect(told).toEqual(
      ['"slow"', "'number'", "'{}'", "'id'", "'keys'"].map((part) => expect.stringContaining(part) as string),
    );
  });
});

test('every field of this package is in the table, and no field of the table is unknown to nodemailer', () => {
  const all = Object.values(TYPES).flatMap((nodemailer) => {
    const text =
      nodemailer === TYPES['10']
        ? `import type { SendMailOptions } from 'nodemailer'; export interface Message extends SendMailOptions {}`
        : `import Mail from 'nodemailer/lib/mailer'; export interface Message extends Mail.Options {}`;
    return fieldsOf(nodemailer, text).Message ?? [];
  });
  expect(OWN.filter((name) => !Object.hasOwn(MESSAGE_FIELDS, name))).toEqual([]);
  expect(Object.keys(MESSAGE_FIELDS).filter((name) => ![...all, ...OWN].includes(name))).toEqual([]);
});

describe('The installed package', () => {
  /** Nodemailer and its types, as a consumer of each major version has them. */
  const INSTALLED = [
    ['8', { nodemailer: 'nodemailer-8', '@types/nodemailer': 'types-nodemailer-8' }],
    ['9', { nodemailer: 'nodemailer-9', '@types/nodemailer': 'types-nodemailer-8' }],
    ['10', { nodemailer: 'nodemailer' }],
  ] as const;
  let parent: string;
  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'nodemailer-types-'));
    const consumer = installPacked(pack(), join(parent, 'consumer'));
    for (const [version, names] of INSTALLED) {
      const own = join(parent, version, 'node_modules');
      mkdirSync(join(own, '@types'), { recursive: true });
      cpSync(join(consumer, 'node_modules/email-platform'), join(own, 'email-platform'), { recursive: true });
      for (const [to, from] of Object.entries(names))
        symlinkSync(join(packages, from), join(own, to), 'junction');
    }
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  const { NodeNext, Bundler } = ts.ModuleResolutionKind;
  test.each(
    INSTALLED.flatMap(([version]) => [
      [version, 'mts', ts.ModuleKind.NodeNext, NodeNext] as const,
      [version, 'cts', ts.ModuleKind.NodeNext, NodeNext] as const,
      [version, 'mts', ts.ModuleKind.ESNext, Bundler] as const,
    ]),
  )(
    'adds its fields to the messages of nodemailer %s, in a .%s file',
    (version, ending, module, resolution) => {
      const file = join(parent, version, `program-${resolution}.${ending}`);
      writeFileSync(
        file,
        `import { createTransport } from 'nodemailer';
       import { EmailPlatform } from 'email-platform';
       import { emailPlatformTransport } from 'email-platform/nodemailer';
       const transporter = createTransport(emailPlatformTransport({ client: new EmailPlatform() }));
       export const sent = transporter
         .sendMail({ to: 'ann@example.org', stream: 'transactional', template: { uuid: 'u' }, idempotencyKey: 'a' })
         .then((info) => ${version === '10' ? 'info.messageIds' : 'info.messageId'});`,
      );
      const options: ts.CompilerOptions = {
        ...settings(TYPES['10'] ?? expect.fail()),
        paths: {},
        module,
        moduleResolution: resolution,
        typeRoots: [join(root, 'node_modules/@types')],
        preserveSymlinks: true,
      };
      const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, hostFor(options)));
      expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    },
  );
});
