import type { FieldErrors } from '../../checks/fields.ts';
import { required, text } from '../../checks/fields.ts';
import type { TemplateFields, TemplateRecord } from './store.ts';

const MAX_FIELD = 255;
const MAX_BODY = 10_000_000;

const EMPTY: TemplateFields = { name: '', subject: '', category: '', bodyHtml: null, bodyText: null };

/** Reads the fields of a new template, or of an existing one after an update. Adds what is wrong to `errors`. */
export function readTemplate(
  given: Readonly<Record<string, unknown>>,
  current: TemplateRecord | undefined,
  errors: FieldErrors,
): TemplateFields {
  const before = current?.fields ?? EMPTY;
  const body = (name: 'body_html' | 'body_text', old: string | null) => {
    const read = text(given[name], old, name, errors, MAX_BODY);
    // The service does not clear a body that is set.
    const written = (read ?? '') === '' && (old ?? '') !== '' ? old : read;
    if (written !== old && current?.editor === 'visual') {
      errors.add(name, `cannot update ${name} of template created within UI editor`);
    }
    return written;
  };
  return {
    name: required(given.name, before.name, 'name', errors, MAX_FIELD),
    subject: required(given.subject, before.subject, 'subject', errors, MAX_FIELD),
    category: required(given.category, before.category, 'category', errors, MAX_FIELD),
    bodyHtml: body('body_html', before.bodyHtml),
    bodyText: body('body_text', before.bodyText),
  };
}
