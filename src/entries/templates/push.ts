import { NotFoundError, ValidationError } from '../../core/api-errors.ts';
import { EmailPlatformError } from '../../core/error-base.ts';
import type { Template, TemplateUpdateParams } from '../../resources/templates/types.ts';
import { readSides, type Sides } from './account.ts';
import type { TemplatesClient } from './client.ts';
import { commonParts, recorded, takenOver, type Compared } from './compare.ts';
import type { TemplateProblem } from './errors.ts';
import { inside } from './files.ts';
import {
  hashesOf,
  hashOf,
  isSame,
  partsOfFiles,
  partsOfHosted,
  type Parts,
  type TemplatePart,
} from './parts.ts';
import { checkNames, planOf, type TemplateChange, type TemplatePlanOptions } from './plan.ts';
import type { TemplateFolder } from './types.ts';

/** The progress of a push. */
export interface TemplatePushProgress {
  /** Number of finished templates. */
  readonly done: number;
  /** Number of templates that the push creates, changes or deletes. */
  readonly total: number;
  /** The folder of the last finished template. */
  readonly folder: string;
}

/** Options of {@link pushTemplates}. */
export interface TemplatePushOptions extends TemplatePlanOptions {
  /** Called after each template. */
  readonly onProgress?: ((progress: TemplatePushProgress) => void) | undefined;
}

/** The result of a push. */
export interface TemplatePush {
  /** The account. */
  readonly accountId: number;
  /** Folders whose templates were created. */
  readonly created: readonly string[];
  /** Folders whose templates were in the account already, with the same content: only the lock has changed. */
  readonly found: readonly string[];
  /** Folders whose templates were changed. */
  readonly updated: readonly string[];
  /** Names of the templates that were deleted. */
  readonly deleted: readonly string[];
  /** Failed changes with the reason. Empty after full success. */
  readonly problems: readonly TemplateProblem[];
}

/**
 * Applies the plan of {@link planTemplates}: creates and changes templates in the service, and deletes the templates
 * that `delete` names. A conflict that `overwrite` does not name stops all changes, and is in `problems`; and so do files
 * that {@link templateTypes} refuses, if the push would write them.
 *
 * Reads a template again before it changes it, and does not replace newer changes. The next push resumes an
 * interrupted one. A template that the service refuses is in `problems`, and the push continues with the others.
 *
 * @param client - The client; its account is `accountId`, or the only one that its token can see.
 * @param folder - The path of the folder. The push writes its `templates.lock.json`.
 * @throws {@link TemplateError} for unreadable files, `ConfigurationError` for an ambiguous account,
 * `AuthenticationError`, `PermissionDeniedError`, `RateLimitError`, `ConnectionError`
 */
export async function pushTemplates(
  client: TemplatesClient,
  folder: string,
  options: TemplatePushOptions = {},
): Promise<TemplatePush> {
  const read = await readSides(client, folder, options);
  checkNames(folder, read.comparison, options);
  const sides = { ...read, comparison: takenOver(read.comparison, 'equal') };
  const { changes } = planOf(sides.accountId, sides.comparison, options);
  const push = new Push(client, folder, sides);
  const stops = changes.filter(({ action }) => action === 'conflict' || action === 'invalid');
  for (const change of stops) push.stop(change);
  if (stops.length === 0) await push.apply(changes, options.onProgress);
  return push.result;
}

/** The written parts, and the template after the change. */
interface Written {
  readonly parts: readonly TemplatePart[];
  readonly hosted: Template;
}

class Push {
  readonly #client: TemplatesClient;
  readonly #folder: string;
  readonly #sides: Sides;
  readonly #problems: TemplateProblem[] = [];
  readonly #done = {
    create: [] as string[],
    found: [] as string[],
    update: [] as string[],
    delete: [] as string[],
  };
  /** The highest id in the account. */
  #lastId: number;
  /** The service's message after it has refused to create more templates. */
  #full: string | undefined;

  constructor(client: TemplatesClient, folder: string, sides: Sides) {
    this.#client = client;
    this.#folder = folder;
    this.#sides = sides;
    this.#lastId = Math.max(0, ...sides.hosted.map(({ id }) => id));
  }

  get result(): TemplatePush {
    const { create: created, found, update: updated, delete: deleted } = this.#done;
    return { accountId: this.#sides.accountId, created, found, updated, deleted, problems: this.#problems };
  }

  report(folder: string, message: string): void {
    this.#problems.push({ file: inside(this.#folder, folder), line: undefined, message });
  }

  /** Reports a change that stops the push. */
  stop({ folder, reason, problems }: TemplateChange): void {
    // The languages of a template share their problems.
    this.#problems.push(...problems.filter((one) => !this.#problems.includes(one)));
    if (problems.length === 0) this.report(folder, reason ?? 'is a conflict');
  }

  async apply(
    changes: readonly TemplateChange[],
    onProgress?: (progress: TemplatePushProgress) => void,
  ): Promise<void> {
    const { lock, comparison } = this.#sides;
    for (const template of comparison.templates) this.#record(template);
    await lock.save();
    const byFolder = new Map(comparison.templates.map((one) => [one.folder, one]));
    const todo = changes.filter(({ action }) => action !== 'none');
    for (const [index, change] of todo.entries()) {
      const template = byFolder.get(change.folder);
      if (template !== undefined) await this.#apply(template, change);
      onProgress?.({ done: index + 1, total: todo.length, folder: change.folder });
    }
  }

  /** Records the result of the comparison: creations without a response, equal parts, deleted templates. */
  #record(template: Compared): void {
    const { folder, files, hosted, entry, isFound } = template;
    const { entries } = this.#sides.lock;
    if (isFound) this.#done.found.push(folder);
    if (hosted !== undefined && (files !== undefined || entries.get(folder)?.id === undefined))
      entries.set(folder, recorded(hosted, commonParts(template)));
    if (hosted === undefined && files === undefined && entry !== undefined) entries.delete(folder);
  }

  async #apply(template: Compared, { action, push }: TemplateChange): Promise<void> {
    const { files, hosted } = template;
    if (action === 'create' && files !== undefined) await this.#create(files);
    else if (action === 'update' && files !== undefined && hosted !== undefined)
      await this.#update(
        template,
        files,
        hosted,
        push.map(({ part }) => part),
      );
    else if (action === 'delete' && hosted !== undefined) await this.#delete(template.folder, hosted);
  }

  async #create(files: TemplateFolder): Promise<void> {
    const { folder } = files;
    if (this.#full !== undefined) {
      this.report(folder, `was not created: ${this.#full}`);
      return;
    }
    const { lock, call } = this.#sides;
    const parts = partsOfFiles(files);
    const before = lock.entries.get(folder);
    // Written before the request, so that a creation whose response is lost can be found again.
    lock.entries.set(folder, { createdAfter: this.#lastId, parts: hashesOf(parts) });
    await lock.save();
    try {
      const { name, subject, category } = files;
      const bodies = fieldsOf(parts, ['html', 'text']);
      const made = await this.#client.templates.create({ ...bodies, name, subject, category }, call);
      this.#lastId = Math.max(this.#lastId, made.id);
      // Records the sent parts as common: a part that the service stored differently counts as its change.
      lock.entries.set(folder, recorded(made, hashesOf(parts)));
      await lock.save();
      this.#done.create.push(folder);
    } catch (error) {
      if (!(error instanceof EmailPlatformError) || error.effect !== 'none') throw error;
      if (before === undefined) lock.entries.delete(folder);
      else lock.entries.set(folder, before);
      await lock.save();
      if (!(error instanceof ValidationError)) throw error;
      this.report(folder, `was not created: ${refusalOf(error)}`);
      // The limit belongs to the account, so it also stops the other creations.
      if (error.fieldErrors.base !== undefined) this.#full = refusalOf(error);
    }
  }

  async #update(
    template: Compared,
    files: TemplateFolder,
    { id, ...listed }: Template,
    parts: readonly TemplatePart[],
  ): Promise<void> {
    const { folder } = template;
    const fresh = await this.#read(id);
    if (fresh === undefined) {
      this.report(folder, 'was deleted in the service meanwhile');
      return;
    }
    const [before, now] = [partsOfHosted({ id, ...listed }), partsOfHosted(fresh)];
    const moved = parts.filter((part) => before[part] !== now[part]);
    if (moved.length > 0) {
      this.report(folder, `${moved.join(', ')} changed in the service meanwhile: plan again`);
      return;
    }
    const own = partsOfFiles(files);
    const written = await this.#write(folder, id, own, parts);
    if (written === undefined) return;
    const { lock } = this.#sides;
    const common = { ...commonParts(template) };
    for (const part of written.parts) common[part] = hashOf(own[part]);
    lock.entries.set(folder, recorded(written.hosted, common));
    await lock.save();
    this.#done.update.push(folder);
  }

  /** Writes parts. Retries without the bodies if the service refuses them, as for a template of the visual editor. */
  async #write(
    folder: string,
    id: number,
    own: Parts,
    parts: readonly TemplatePart[],
  ): Promise<Written | undefined> {
    if (parts.length === 0) return undefined;
    try {
      const { call } = this.#sides;
      return { parts, hosted: await this.#client.templates.update(id, fieldsOf(own, parts), call) };
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      this.report(folder, `was not changed: ${refusalOf(error)}`);
      const refused = Object.keys(error.fieldErrors);
      const isOfBodies = refused.every((field) => field === FIELDS.html || field === FIELDS.text);
      const others = parts.filter((part) => !refused.includes(FIELDS[part]));
      if (!isOfBodies || others.length === parts.length) return undefined;
      return this.#write(folder, id, own, others);
    }
  }

  async #delete(folder: string, listed: Template): Promise<void> {
    const { lock, call } = this.#sides;
    const fresh = await this.#read(listed.id);
    if (fresh !== undefined && !isSame(partsOfHosted(fresh), partsOfHosted(listed))) {
      this.report(folder, 'was changed in the service meanwhile: plan again');
      return;
    }
    if (fresh !== undefined) await this.#client.templates.delete(listed.id, call);
    lock.entries.delete(folder);
    await lock.save();
    this.#done.delete.push(folder);
  }

  /** The current template; undefined if it is gone. */
  async #read(id: number): Promise<Template | undefined> {
    try {
      return await this.#client.templates.get(id, this.#sides.call);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}

/** The fields of the service for the parts. */
const FIELDS = {
  name: 'name',
  subject: 'subject',
  category: 'category',
  html: 'body_html',
  text: 'body_text',
} as const satisfies Record<TemplatePart, keyof TemplateUpdateParams>;

/** The service's fields for the parts, without missing bodies. */
const fieldsOf = (own: Parts, parts: readonly TemplatePart[]): TemplateUpdateParams =>
  Object.fromEntries(parts.flatMap((part) => (own[part] === null ? [] : [[FIELDS[part], own[part]]])));

/** The service's messages by field. */
const refusalOf = ({ fieldErrors, message }: ValidationError): string => {
  const texts = Object.entries(fieldErrors).flatMap(([field, messages]) =>
    messages.map((text) => (field === 'base' ? text : `${field} ${text}`)),
  );
  return texts.length === 0 ? message : texts.join('; ');
};
