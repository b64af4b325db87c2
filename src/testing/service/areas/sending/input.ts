import { TemplateSyntaxError, TemplateTooComplex } from '../../../../handlebars/errors.ts';
import { renderMail, type MailTemplate, type RenderedMail } from '../../../../handlebars/mail.ts';
import type { TemplateRecord } from '../../state/account/templates.ts';
import type { Mail } from '../../state/emails/mail.ts';
import { PartReader, type KnownParts } from './parts.ts';

/** The templates of an account. */
export interface KnownTemplates {
  readonly find: (uuid: string) => TemplateRecord | undefined;
  readonly parse: (template: TemplateRecord) => MailTemplate;
}

/** An email to send, or all of its errors. */
export type ReadMail = { readonly mail: Mail } | { readonly errors: readonly string[] };

const MAX_CATEGORY = 255;

/** Reads an email from the body of a request. A `null` field counts as missing. Ignores unknown fields. */
export function readMail(
  fields: Readonly<Record<string, unknown>>,
  templates: KnownTemplates,
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
  const said = reader.has('template_uuid') ? fromTemplate(reader, templates) : inline(reader);
  if (from === null || reader.errors.length > 0) return { errors: reader.errors };
  // Field by field, because a spread takes several times as long.
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
      template: said.template,
      templateOf: said.templateOf,
      templateVariables: said.templateVariables,
    },
  };
}

type Said = Pick<
  Mail,
  'subject' | 'text' | 'html' | 'templateId' | 'template' | 'templateOf' | 'templateVariables'
>;

const NO_TEMPLATE = { templateId: null, template: null, templateOf: undefined } as const;

function inline(reader: PartReader): Said {
  const subject = reader.text('subject') ?? '';
  const text = reader.text('text');
  const html = reader.text('html');
  if (!reader.has('subject')) reader.refuse("'subject' is required");
  if (!reader.has('text') && !reader.has('html')) reader.refuse('must specify either text or html body');
  const templateVariables = reader.object('template_variables');
  return { ...NO_TEMPLATE, subject, text, html, templateVariables };
}

function fromTemplate(reader: PartReader, { find, parse }: KnownTemplates): Said {
  for (const name of ['subject', 'text', 'html', 'category']) {
    if (reader.has(name)) reader.refuse(`'${name}' is not allowed with 'template_uuid'`);
  }
  const uuid = reader.text('template_uuid') ?? '';
  const found = find(uuid);
  if (found === undefined) {
    reader.refuse(
      "'template_uuid' is not the UUID of a template of the account: push it, and generate its types again. An emulator reads a folder of templates with its option templates, or --templates",
    );
  }
  const templateVariables = reader.object('template_variables');
  const none = { ...NO_TEMPLATE, subject: '', text: null, html: null, templateVariables };
  if (found === undefined) return none;
  const rendered = render(found, parse, templateVariables ?? {});
  if (typeof rendered === 'string') {
    reader.refuse(`'template_uuid' is the UUID of a template that ${rendered}`);
    return none;
  }
  const { subject, text, html, missing, unused } = rendered;
  const { fields, language } = found;
  const template = {
    name: fields.name,
    uuid: uuid.toLowerCase(),
    ...(language && { locale: language.locale }),
    missing,
    unused,
  };
  const templateOf = language?.of;
  return { subject, text, html, templateId: found.id, template, templateOf, templateVariables };
}

/** The rendered email, or the error. */
function render(
  template: TemplateRecord,
  parse: KnownTemplates['parse'],
  variables: Readonly<Record<string, unknown>>,
): RenderedMail | string {
  try {
    return renderMail(parse(template), variables, template.optional);
  } catch (error) {
    if (error instanceof TemplateTooComplex) return 'is too complex';
    if (error instanceof TemplateSyntaxError)
      return `is not valid Handlebars: in line ${error.line}, ${error.message}`;
    throw error;
  }
}
