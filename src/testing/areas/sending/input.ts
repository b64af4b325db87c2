import type { TemplateRecord } from '../templates/store.ts';
import type { Mail } from './mail.ts';
import { PartReader, type KnownParts } from './parts.ts';
import { fill } from './handlebars.ts';

type FindTemplate = (uuid: string) => TemplateRecord | undefined;

/** An email to send, or all of its errors. */
export type ReadMail = { readonly mail: Mail } | { readonly errors: readonly string[] };

const MAX_CATEGORY = 255;

/** Reads an email from the body of a request. A field that is `null` counts as left out. Unknown fields are ignored. */
export function readMail(
  fields: Readonly<Record<string, unknown>>,
  findTemplate: FindTemplate,
  known?: KnownParts,
): ReadMail {
  const reader = new PartReader(fields, known);
  const from = reader.address('from');
  if (!reader.has('from')) reader.refuse("'from' is required");
  const replyTo = reader.address('reply_to');
  const to = reader.addresses('to');
  const cc = reader.addresses('cc');
  const bcc = reader.addresses('bcc');
  if (!['to', 'cc', 'bcc'].some((name) => Array.isArray(fields[name]) && fields[name].length > 0)) {
    reader.refuse("At least one recipient is required in 'to', 'cc' or 'bcc'");
  }
  const headers = reader.headers();
  const attachments = reader.attachments();
  const category = reader.text('category', MAX_CATEGORY);
  const customVariables = reader.customVariables();
  const said = reader.has('template_uuid') ? fromTemplate(reader, findTemplate) : inline(reader);
  if (from === null || reader.errors.length > 0) return { errors: reader.errors };
  // Field by field: to spread its parts takes several times as long.
  return {
    mail: {
      from,
      replyTo,
      to,
      cc,
      bcc,
      headers,
      attachments,
      category,
      customVariables,
      subject: said.subject,
      text: said.text,
      html: said.html,
      templateId: said.templateId,
      templateVariables: said.templateVariables,
    },
  };
}

type Said = Pick<Mail, 'subject' | 'text' | 'html' | 'templateId' | 'templateVariables'>;

function inline(reader: PartReader): Said {
  const subject = reader.text('subject') ?? '';
  const text = reader.text('text');
  const html = reader.text('html');
  if (!reader.has('subject')) reader.refuse("'subject' is required");
  if (!reader.has('text') && !reader.has('html')) reader.refuse('must specify either text or html body');
  return { subject, text, html, templateId: null, templateVariables: reader.object('template_variables') };
}

function fromTemplate(reader: PartReader, findTemplate: FindTemplate): Said {
  for (const name of ['subject', 'text', 'html', 'category']) {
    if (reader.has(name)) reader.refuse(`'${name}' is not allowed with 'template_uuid'`);
  }
  const template = findTemplate(reader.text('template_uuid') ?? '');
  if (template === undefined) reader.refuse("'template_uuid' is not the UUID of a template");
  const variables = reader.object('template_variables');
  const { subject = '', bodyText = null, bodyHtml = null } = template?.fields ?? {};
  const filled = (template: string, isEscaped: boolean) => {
    const text = fill(template, variables ?? {}, isEscaped);
    if (text === undefined) reader.refuse("'template_uuid' is the UUID of a template that is too complex");
    return text ?? '';
  };
  return {
    // Escaped as HTML is, although no mail program reads entities there: the service does so.
    subject: filled(subject, true),
    text: bodyText === null ? null : filled(bodyText, false),
    html: bodyHtml === null ? null : filled(bodyHtml, true),
    templateId: template?.id ?? null,
    templateVariables: variables,
  };
}
