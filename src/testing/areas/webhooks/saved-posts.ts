import {
  anything,
  arrayOf,
  mapOf,
  number,
  objectOf,
  recordOf,
  or,
  plainObject,
  positive,
  text,
  time,
  wholeFrom,
  type Kinds,
} from '../../checks/kind.ts';
import type { ReadValues } from '../../shared.ts';
import { readMessageRef, type SavedMessage } from '../email-logs/saved.ts';
import type { LogStore } from '../email-logs/store.ts';
import type { EmulatorWebhookPost, Pending } from './post.ts';

/** An event to be posted as a snapshot has it. `step` is the position of the event among those of its message. */
export type SavedPending = { readonly at: number; readonly name: string | null } & (
  | { readonly message: string | SavedMessage; readonly step: number }
  | { readonly event: Readonly<Record<string, unknown>> }
);

export interface SavedPosts {
  readonly made: readonly (Omit<EmulatorWebhookPost, 'id'> & { readonly id?: number })[];
  readonly pending: readonly {
    readonly webhookId: number;
    readonly earliest: number;
    readonly events: readonly SavedPending[];
  }[];
}

const postFields: Kinds<EmulatorWebhookPost> = {
  id: positive,
  webhookId: positive,
  url: text,
  at: time,
  attempt: positive,
  headers: mapOf(text),
  body: text,
  status: or(number('a status', Number.isInteger, 'integer'), null),
};

/** A post, as {@link EmulatorWebhooks.posts} has it. */
export const webhookPost = recordOf<EmulatorWebhookPost>(postFields);

export const savedPosts = recordOf<SavedPosts>({
  made: arrayOf(
    'posts',
    // Snapshots that were made before posts had numbers have none.
    objectOf<EmulatorWebhookPost>(postFields, [
      'webhookId',
      'url',
      'at',
      'attempt',
      'headers',
      'body',
      'status',
    ]),
  ),
  pending: arrayOf(
    'webhooks',
    recordOf<SavedPosts['pending'][number]>({
      webhookId: positive,
      earliest: time,
      events: arrayOf(
        'events',
        objectOf<{ at: number; name: string | null; message?: unknown; step?: number; event?: object }>(
          { at: time, name: or(text, null), message: anything, step: wholeFrom(0), event: plainObject },
          ['at'],
        ),
      ),
    }),
  ),
});

/** The event of a snapshot, which has been checked to be one. */
export function readPending(saved: SavedPending, logs: LogStore, shared: ReadValues): Pending {
  const { at, name } = saved;
  if ('event' in saved) return { at, name, event: saved.event };
  const record = readMessageRef(saved.message, logs, shared);
  const step = record.course.steps[saved.step];
  if (step === undefined) throw new RangeError(`The message ${record.id} has no event ${saved.step}`);
  return { at, name, record, step };
}
