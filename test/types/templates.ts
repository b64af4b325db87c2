import { EmailPlatform, templateUuid, type SendParams, type TemplateUuids } from 'email-platform';
import {
  checkTemplates,
  planTemplates,
  pullTemplates,
  pushTemplates,
  readTemplates,
  renderTemplate,
  TemplateError,
  templateTypes,
  type TemplateCheck,
  type TemplateFolder,
  type TemplatePlan,
  type TemplatesClient,
} from 'email-platform/templates';
import { createEmulator } from 'email-platform/testing';
import type { Same } from './same.ts';

/** What the generated file has for each template. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- as in the generated file
type Variables = { readonly name: string | number; readonly note?: string | undefined };
declare const receipt: (variables: Variables) => {
  readonly template_uuid: string;
  readonly template_variables: Variables;
};
declare const uuids: TemplateUuids;

export async function right(client: EmailPlatform): Promise<unknown> {
  const content = receipt({ name: 'Ann', note: undefined });
  await client.sending.send({ to: 'ann@example.org', ...content });
  await client.sending.batch({ base: content, requests: [{ to: 'ann@example.org' }] });
  await client.sending.batchAll([{ to: 'ann@example.org', ...content }], { base: receipt({ name: 1 }) });
  const params: SendParams = { to: 'ann@example.org', ...content, custom_variables: { order: 7 } };
  const templates = await readTemplates('emails');
  const emulator = createEmulator({ templates });
  const [message] = emulator.messages();
  const missing: readonly string[] | undefined = message?.template?.missing;
  const text: string = templateTypes(templates, { from: '../emails' });
  const [first] = templates;
  const rendered = first && renderTemplate(first, { name: 'Ann' });
  const types: [
    Same<typeof templates, TemplateFolder[]>,
    Same<typeof client.accountId, number | undefined>,
    Same<typeof client.sandboxInboxId, number | undefined>,
  ] = [true, true, true];
  return [params, missing, text, rendered?.html, templateUuid(client, 'receipt', uuids), types];
}

export async function withAnAccount(client: EmailPlatform, signal: AbortSignal): Promise<unknown> {
  const own: TemplatesClient = client;
  const plan: TemplatePlan = await planTemplates(client, 'emails', { overwrite: ['invite'], signal });
  const { created, problems } = await pushTemplates(client, 'emails', {
    delete: ['old'],
    onProgress: ({ done, total, folder }) => [done + total, folder.length],
  });
  const pulled = await pullTemplates(client, 'emails', { overwrite: undefined });
  const check: TemplateCheck = await checkTemplates(own, 'emails');
  const actions = plan.changes.map(({ folder, action, push }) => [folder, action, push[0]?.lines]);
  return [actions, created, problems[0]?.message, pulled.updated, check.findings[0]?.variable];
}

export async function wrongWithAnAccount(client: EmailPlatform): Promise<void> {
  // @ts-expect-error the folder is missing
  await planTemplates(client);
  // @ts-expect-error templates are named one by one
  await pushTemplates(client, 'emails', { overwrite: true });
  // @ts-expect-error a check changes nothing
  await checkTemplates(client, 'emails', { overwrite: ['invite'] });
  // @ts-expect-error a client comes first
  await pullTemplates('emails');
}

export async function wrong(client: EmailPlatform, error: unknown): Promise<void> {
  // @ts-expect-error the name is misspelt
  receipt({ nmae: 'Ann' });
  // @ts-expect-error the name is missing
  receipt({ note: 'x' });
  // @ts-expect-error beside a template, the subject comes from it
  await client.sending.send({ to: 'ann@example.org', subject: 'x', ...receipt({ name: 'Ann' }) });
  // @ts-expect-error they are read first
  createEmulator({ templates: 'emails' });
  // @ts-expect-error and that takes a while
  createEmulator({ templates: readTemplates('emails') });
  // @ts-expect-error the client has the account that it was given
  client.accountId = 7;
  // @ts-expect-error where the templates are, for the reader of the file
  templateTypes([], {});
  // @ts-expect-error errors are made by the package
  if (error instanceof TemplateError) error.problems = [];
}
