import { FieldErrors } from '../../checks/fields.ts';
import { objectOf, oneOf, text } from '../../checks/kind.ts';
import { control, optional } from '../../control.ts';
import { defined } from '../../option.ts';
import { refusalsAsErrors } from '../refusals.ts';
import { readTemplate } from './input.ts';
import { EDITORS } from './store.ts';

/** Fields of a template for {@link EmulatorTemplates.add}: those of the service, and what it was made with. */
export interface EmulatorTemplateFields {
  /**
   * Its name.
   * @defaultValue 'Template'
   */
  name?: string;
  /**
   * Its subject, in Handlebars.
   * @defaultValue 'Subject'
   */
  subject?: string;
  /**
   * Its category.
   * @defaultValue 'general'
   */
  category?: string;
  /** Its HTML, in Handlebars. By default, it has none. */
  body_html?: string;
  /** Its plain text, in Handlebars. By default, it has none. */
  body_text?: string;
  /**
   * The editor it was made with. The API cannot change the bodies of a template that was made in the visual editor: the
   * service refuses that with 422.
   * @defaultValue 'code'
   */
  editor?: (typeof EDITORS)[number];
}

/** A template, as {@link EmulatorTemplates.add} makes it. */
export interface EmulatorTemplate {
  /** The id by which it is read and changed. */
  readonly id: number;
  /** The UUID by which emails are sent with it. */
  readonly uuid: string;
}

/** Changes templates without a request. */
export interface EmulatorTemplates {
  /**
   * Adds a template, also one that was made in the visual editor. It counts in no limit.
   *
   * @throws `TypeError` for an unknown field or a wrong type, `RangeError` for a value that the service would refuse.
   */
  add(template?: EmulatorTemplateFields): EmulatorTemplate;
}

/** Controls of templates, for tests. */
export const templateControls = {
  'templates.add': control<EmulatorTemplates['add']>(
    {
      template: optional(
        objectOf<EmulatorTemplateFields>({
          name: text,
          subject: text,
          category: text,
          body_html: text,
          body_text: text,
          editor: oneOf(EDITORS),
        }),
      ),
    },
    ({ templates, accountId, streams, clock }, template = {}) => {
      const { editor, ...given } = {
        ...{ name: 'Template', subject: 'Subject', category: 'general' },
        ...defined(template),
      };
      const fields = refusalsAsErrors(() => {
        const errors = new FieldErrors();
        const read = readTemplate(given, undefined, errors);
        errors.throwIfAny();
        return read;
      });
      const own = streams.of('templates').uuid();
      const { id, uuid } = templates.add(accountId, own, fields, clock.now(), {
        ...(editor && { editor }),
      });
      return { id, uuid };
    },
  ),
};
