import type { TemplateFolder } from '../../../templates/types.ts';
import { anything, arrayOf, mapOf, objectOf, or, positive, text, textLike } from '../../checks/kind.ts';
import { option, type Option } from '../../option.ts';

const uuid = textLike('a UUID', (value) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value));

const template = objectOf<Required<TemplateFolder>>(
  {
    folder: text,
    path: text,
    name: text,
    subject: text,
    subjectLine: positive,
    category: text,
    html: or(text, null),
    text: or(text, null),
    as: text,
    optional: arrayOf('names of variables', text),
    example: anything,
    uuid,
    uuids: mapOf(uuid),
  },
  ['name', 'subject', 'category', 'html', 'text', 'optional', 'uuid', 'uuids'],
);

/** The templates that an account begins with. */
export const templatesOption: Option<readonly TemplateFolder[]> = option(
  arrayOf('templates, as readTemplates returns them', template),
  [],
  'a test says itself what it needs',
);
