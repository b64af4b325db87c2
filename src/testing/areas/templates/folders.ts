import type { World } from '../world.ts';

/**
 * Adds the templates that were read from folders. Emails are sent with one by its UUID in any account, so that a program
 * with the UUIDs of another account finds it, too; and before it was pushed to any.
 */
export function addFolders({ templates, accountId, clock, settings }: World): void {
  for (const { name, subject, category, html, text, optional, uuid, uuids } of settings.templates) {
    const known = [...Object.values(uuids), uuid].map((one) => one.toLowerCase());
    const own = (uuids[String(accountId)] ?? uuid).toLowerCase();
    const fields = { name, subject, category, bodyHtml: html, bodyText: text };
    const otherUuids = known.filter((one) => one !== own);
    templates.add(accountId, own, fields, clock.now(), { otherUuids, optional: [...optional] });
  }
}
