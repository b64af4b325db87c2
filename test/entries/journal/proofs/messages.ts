/** The messages between the processes of the proofs. */
import type { DatabaseName } from '../../../support/sqlite.ts';

/** How a client reaches the service. */
export interface Connection {
  readonly token: string;
  readonly accountId: number;
  readonly hosts: {
    readonly api: string;
    readonly send: string;
    readonly bulk: string;
    readonly sandbox: string;
  };
}

/** A key, how often it was posted (refused posts do not count), and the ids of all emails accepted with it. */
export type KeyRecord = readonly [key: string, posts: number, ids: readonly string[]];

export type ServiceOrder =
  | {
      /** Forgets everything, and begins anew. */
      readonly kind: 'begin';
      readonly seed: number;
      readonly shownWithinMs: number;
      /** Among so many posts, everything that can go wrong with one happens once. Without it, every post is answered. */
      readonly wrongInEvery?: number;
      /** The number of the post until which every answer waits, so that several processes have to send. */
      readonly answersFromPost: number;
      /** Whether only the first post is answered until connections are closed. */
      readonly answersOne?: boolean;
    }
  | { readonly kind: 'calm' | 'record' }
  /** Answered once every response is written, and every connection closed. */
  | { readonly kind: 'close idle' }
  /** Answered once nobody is connected, and nothing that arrived is still in hand. */
  | { readonly kind: 'drain' }
  /** Tells when so many more posts have arrived. With `holds`, the posts after the next two wait until their sender is gone. */
  | { readonly kind: 'announce'; readonly posts: number; readonly holds: boolean }
  | { readonly kind: 'advance'; readonly ms: number };

export type ServiceEvent =
  | { readonly kind: 'listening' | 'done' | 'post' }
  | { readonly kind: 'begun'; readonly connection: Connection }
  | { readonly kind: 'record'; readonly keys: readonly KeyRecord[]; readonly arrived: number }
  | { readonly kind: 'failed'; readonly error: string };

/** A run of `batchAll` over the first `count` emails of the input. */
export interface SenderOrder {
  readonly connection: Connection;
  readonly database: DatabaseName;
  readonly file: string;
  readonly count: number;
  readonly timeoutMs: number;
  readonly onUnknown: 'report' | 'resend';
  /** Whether it first settles, from the log, what is unknown. */
  readonly settles: boolean;
  /** How far the whole world has moved on since the sender was started: the database's clock, and its own. */
  readonly movedOnMs: number;
  /** The email before which its event loop is held up, for as long as a file beside the database is there. */
  readonly heldUpAt?: number;
  /** How far its own clock is off, and the database's is not. */
  readonly clockOffMs: number;
}

/** An outcome: its index, its status, whether it is a replay, the ids, and the code of its error. */
export type Told = readonly [
  index: number,
  status: string,
  isReplayed: boolean,
  ids: readonly string[],
  code: string | null,
];

export type SenderEvent =
  | { readonly kind: 'ready' | 'started' | 'over' }
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Told[] }
  | { readonly kind: 'failed'; readonly error: string };

export type TroubleEvent =
  | { readonly kind: 'ready' | 'over' }
  /** The outcome of a case. */
  | { readonly kind: 'case'; readonly name: string; readonly result: unknown };
