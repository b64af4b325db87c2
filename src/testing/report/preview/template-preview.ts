/** A template with its variables as an email, checked as the emails of a report. */
import { readMailTemplate, renderMail } from '../../../handlebars/mail.ts';
import type { Shape } from '../../../handlebars/shape.ts';
import type { TemplateFolder } from '../../../entries/templates/types.ts';
import { findingsOf } from '../collect/findings.ts';
import type { ReportMail } from '../data/data.ts';
import type { TemplateField, TemplatePreview } from '../data/template-data.ts';
import { readForChecks } from '../records/checked-mail.ts';

type Variables = Readonly<Record<string, unknown>>;

/**
 * Renders a template, and checks the email.
 *
 * @throws `TemplateSyntaxError` or `TemplateTooComplex`, as the rendering of an email does
 */
export function previewOf(template: TemplateFolder, variables: Variables): Omit<TemplatePreview, 'id'> {
  const { name, optional, example = {}, locale, language } = template;
  const parsed = readMailTemplate(template, language?.others);
  const form = fieldOf(parsed.variables, [example], '', optional);
  const rendered = renderMail(parsed, variables, optional);
  const { missing, unused } = rendered;
  const mail = mailOf(rendered, { name, ...(locale !== undefined && { locale }), missing, unused });
  const { findings } = findingsOf({ mails: [mail], kinds: [] }, () => undefined, {});
  const { previewText, htmlText } = readForChecks(mail);
  return {
    ...rendered,
    preview: (previewText === '' ? htmlText : previewText).replace(/\s+/g, ' ').trim().slice(0, 200),
    findings: findings.map(({ level, check, message }) => ({ level, check, message })),
    form,
    misfits: misfits(form, variables),
    taken: Object.entries(language?.taken ?? {}).map(([part, from]) => `${part} (${from.locale})`),
    example,
  };
}

const mailOf = (
  { subject, html, text }: Pick<ReportMail, 'subject' | 'html' | 'text'>,
  template: ReportMail['template'],
): ReportMail => ({
  ...{
    id: '1',
    kind: '',
    at: 0,
    clockAt: 0,
    stream: 'transactional',
    field: 'to',
    category: null,
    request: null,
  },
  ...{ from: 'shop@mail.example.com', fromName: null, to: 'ann@example.org', toName: null, replyTo: null },
  recipients: { to: [{ email: 'ann@example.org', name: null }], cc: [] },
  ...{ preview: '', headers: [], source: null, attachments: [], links: [], events: [] },
  ...{ subject, html, text, template },
});

/** The field of the form for a variable. Its values in the example say more, as for its type. */
function fieldOf(
  shape: Shape,
  samples: readonly unknown[],
  path: string,
  optional: readonly string[],
): TemplateField {
  const isNeeded = shape.neededAt !== undefined && !optional.includes(path);
  const names = [...shape.fields.keys()].filter((name) => name !== 'length');
  if (shape.item !== undefined || samples.some((one) => Array.isArray(one))) {
    const items = samples.flatMap((one) => (Array.isArray(one) ? (one as unknown[]) : []));
    const item = shape.item
      ? fieldOf(shape.item, items, `${path}[]`, optional)
      : { kind: 'text' as const, isNeeded };
    return { kind: 'list', isNeeded, item };
  }
  if (names.length > 0 || path === '') {
    const fieldsOf = (name: string) =>
      samples.flatMap((one) =>
        typeof one === 'object' && one !== null && Object.hasOwn(one, name) ? [(one as Variables)[name]] : [],
      );
    const fields = names.map((name): [string, TemplateField] => [
      name,
      fieldOf(shape.field(name), fieldsOf(name), path === '' ? name : `${path}.${name}`, optional),
    ]);
    return { kind: 'object', isNeeded, fields: Object.fromEntries(fields) };
  }
  const kinds = new Set(samples.map((one) => typeof one));
  const kind = kinds.size === 1 && (kinds.has('number') || kinds.has('boolean')) ? [...kinds][0] : 'text';
  return { kind: kind as TemplateField['kind'], isNeeded };
}

/** The reasons why variables do not fit the form. */
function misfits(field: TemplateField, value: unknown, path = ''): string[] {
  if (value === undefined || value === null)
    return field.isNeeded && value === undefined ? [`${path} is missing`] : [];
  const { kind, fields = {}, item } = field;
  if (kind === 'list') {
    if (!Array.isArray(value)) return typeof value === 'object' ? [] : [`${path} must be a list`];
    return item === undefined ? [] : value.flatMap((one, index) => misfits(item, one, `${path}[${index}]`));
  }
  if (kind === 'object') {
    if (typeof value !== 'object' || Array.isArray(value)) return [`${path} must be an object`];
    return Object.entries(fields).flatMap(([name, one]) => {
      const own = Object.hasOwn(value, name) ? (value as Variables)[name] : undefined;
      return misfits(one, own, path === '' ? name : `${path}.${name}`);
    });
  }
  return kind === 'number' && typeof value !== 'number' && typeof value !== 'string'
    ? [`${path} must be a number`]
    : [];
}
