import type { LanguageParts, TemplateFolder } from '../../../../entries/templates/types.ts';
import { FieldErrors } from '../../wire/fields.ts';
import {
  anything,
  arrayOf,
  mapOf,
  objectOf,
  oneOf,
  or,
  positive,
  text,
  textLike,
} from '../../../declare/kind.ts';
import { control, needed, optional } from '../../routing/control.ts';
import { defined } from '../../../../kit/defined.ts';
import { option } from '../../../declare/option.ts';
import { area } from '../../routing/area.ts';
import { refusalsAsErrors } from '../../routing/refusals.ts';
import type { World } from '../../state/world.ts';
import { readTemplate, templateRoutes } from './routes.ts';
import { EDITORS, TemplateStore, type TemplateRecord } from '../../state/account/templates.ts';

const uuid = textLike('a UUID', (value) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value));

const otherLanguage = objectOf<Required<LanguageParts>>(
  {
    locale: text,
    inside: text,
    subject: text,
    subjectLine: positive,
    html: or(text, null),
    text: or(text, null),
  },
  ['locale', 'inside', 'subject', 'html', 'text'],
);

const folder = objectOf<Required<TemplateFolder>>(
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
    unread: arrayOf('names of files', text),
    uuid,
    uuids: mapOf(uuid),
    unpushed: arrayOf('accounts', text),
    locale: text,
    language: objectOf<Required<NonNullable<TemplateFolder['language']>>>(
      { of: text, taken: anything, others: arrayOf('languages', otherLanguage) },
      'all',
    ),
  },
  ['name', 'subject', 'category', 'html', 'text', 'optional', 'uuid', 'uuids'],
);

const folders = arrayOf('templates, as readTemplates returns them', folder);

/** Fields of a template for {@link Emulator.Templates.add}: the service's fields, and the editor. */
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
   * The editor of the template. The API cannot change the bodies of a template from the visual editor: the service refuses
   * the change with 422.
   * @defaultValue 'code'
   */
  editor?: (typeof EDITORS)[number];
}

/** A template that {@link Emulator.Templates.add} made. */
export interface EmulatorTemplate {
  /** The id, for requests that read or change the template. */
  readonly id: number;
  /** The UUID, for emails with the template. */
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
  /**
   * Replaces the templates from folders, as after a change of their files: a template of the same folder keeps its id, and
   * one whose folder is gone is removed. Other templates stay. `reset` keeps the replacement.
   *
   * @param templates - As `readTemplates` of `email-platform/templates` returns them.
   * @throws `TypeError` for a wrong type.
   */
  replace(templates: readonly TemplateFolder[]): void;
}

const templateFields = objectOf<EmulatorTemplateFields>({
  name: text,
  subject: text,
  category: text,
  body_html: text,
  body_text: text,
  editor: oneOf(EDITORS),
});

/** Controls of templates, for tests. */
const templateControls = {
  'templates.add': control<EmulatorTemplates['add']>(
    'POST /templates',
    {
      takes: { template: optional(templateFields) },
      body: 'template',
      returns: objectOf<EmulatorTemplate>({ id: positive, uuid: text }, 'all'),
      as: 'template',
    },
    ({ templates, accountId, streams, clock }, template = {}) => {
      const { editor, ...input } = {
        ...{ name: 'Template', subject: 'Subject', category: 'general' },
        ...defined(template),
      };
      const fields = refusalsAsErrors(() => {
        const errors = new FieldErrors();
        const read = readTemplate(input, undefined, errors);
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
  'templates.replace': control<EmulatorTemplates['replace']>(
    'PUT /templates',
    { takes: { templates: needed(folders) } },
    (world, given) => {
      const kept = new Set(given.map(({ uuid }) => uuid));
      for (const before of foldersOf(world)) {
        const record = kept.has(before.uuid) ? undefined : recordOf(world, before);
        if (record !== undefined) world.templates.remove(record);
      }
      world.folders.replaced = [...given];
      addFolders(world);
    },
  ),
};

const TEMPLATES = [
  ['Getting started', 'Welcome, {{name}}', 'onboarding', 'We are glad that you are here.'],
  ['Password reset', 'Reset your password', 'account', 'Choose a new one within the hour.'],
  ['Payment received', 'Your receipt', 'orders', '{{#each items}}{{this.name}}: {{this.price}} {{/each}}'],
  [
    'Weekly digest',
    'Your week in short',
    'digest',
    '{{#if stories}}This happened.{{else}}A quiet week.{{/if}}',
  ],
] as const;

/** Adds a few templates with a variable for a name. */
function seedTemplates({ templates, streams, accountId, clock }: World): void {
  const random = streams.of('demo mail');
  for (const [name, subject, category, line] of TEMPLATES) {
    const fields = {
      name,
      subject,
      category,
      bodyHtml: `<h1>${name}</h1><p>Hello {{name}}!</p><p>${line}</p>`,
      bodyText: `Hello {{name}}!\n\n${line}\n`,
    };
    templates.add(accountId, random.uuid(), fields, clock.now());
  }
}

const foldersOf = ({ folders, settings }: World) => folders.replaced ?? settings.templates;

/** The template of a folder, which has the UUID that is derived from the folder's name. */
const recordOf = ({ templates, accountId }: World, { uuid }: TemplateFolder): TemplateRecord | undefined =>
  templates.withUuid(accountId, uuid);

/**
 * Adds the templates from folders, or updates them. Emails find a template by any of its UUIDs: of every account, and the
 * one that it has before the first push.
 */
function addFolders(world: World): void {
  const { templates, accountId, clock } = world;
  for (const folder of foldersOf(world)) {
    const { name, subject, category, html, text, optional, uuid, uuids, locale } = folder;
    const record = recordOf(world, folder);
    const known = [...Object.values(uuids), uuid].map((one) => one.toLowerCase());
    const own = record?.uuid ?? (uuids[String(accountId)] ?? uuid).toLowerCase();
    const fields = { name, subject, category, bodyHtml: html, bodyText: text };
    const language =
      locale === undefined || folder.language === undefined ? undefined : { ...folder.language, locale };
    const more = { otherUuids: known.filter((one) => one !== own), optional: [...optional] };
    if (record === undefined) {
      templates.add(accountId, own, fields, clock.now(), { ...more, ...(language && { language }) });
      continue;
    }
    const isSame = JSON.stringify([fields, language]) === JSON.stringify([record.fields, record.language]);
    if (!isSame) Object.assign(record, { fields, language, updatedAt: clock.now() });
    Object.assign(record, more);
  }
}

/** Email templates. */
export const templates = area<'templates', 'templates'>({
  name: 'templates',
  options: { templates: option<readonly TemplateFolder[]>(folders, [], 'a test says itself what it needs') },
  keep: ({ state }) => ({ templates: new TemplateStore(state) }),
  routes: templateRoutes,
  controls: templateControls,
  seed: (world, seed) => {
    if (seed === 'demo') seedTemplates(world);
    addFolders(world);
  },
});
