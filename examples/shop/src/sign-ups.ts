/** Sign-up: an address is confirmed by the code that was mailed to it. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Db } from './database.ts';

/** How long a code is valid. */
export const CODE_MINUTES = 10;
/** How many codes may be tried: a guess succeeds once in 200,000 sign-ups. */
const MAX_ATTEMPTS = 5;

/** A sign-up that waits for its code. */
export interface SignUp {
  readonly id: string;
  readonly email: string;
  /** Six digits. */
  readonly code: string;
}

/** The sign-ups and the sessions that come of them. */
export type SignUps = ReturnType<typeof createSignUps>;

/** `now` returns milliseconds since the Unix epoch. */
export function createSignUps(db: Db, now: () => number) {
  const insert = db.prepare<[string, string, string, number]>(
    'INSERT INTO sign_ups (id, email, code, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const select = db.prepare<[string, string, number], SignUp>(
    `SELECT id, email, code FROM sign_ups
      WHERE id = ? AND email = ? AND expires_at > ? AND attempts < ${MAX_ATTEMPTS}`,
  );
  const tryCode = db.prepare<[string, number], SignUp>(
    `UPDATE sign_ups SET attempts = attempts + 1
      WHERE id = ? AND expires_at > ? AND attempts < ${MAX_ATTEMPTS} RETURNING id, email, code`,
  );
  const end = db.prepare<[string]>('UPDATE sign_ups SET expires_at = 0 WHERE id = ?');
  const insertSession = db.prepare<[string, string]>('INSERT INTO sessions (id, email) VALUES (?, ?)');
  const selectSession = db.prepare<[string], { email: string }>('SELECT email FROM sessions WHERE id = ?');

  return {
    /** Starts a sign-up. `id` is that of the form: a form that is submitted twice has one sign-up, and one code. */
    start(id: string, email: string): SignUp {
      insert.run(id, email, String(randomInt(1_000_000)).padStart(6, '0'), now() + CODE_MINUTES * 60_000);
      // A form with a corrected address, or one whose code has ended, is another sign-up.
      return select.get(id, email, now()) ?? this.start(randomUUID(), email);
    },

    /** Ends a sign-up with its code. Returns the id of a new session; undefined for a wrong or old code. */
    confirm(id: string, code: string): string | undefined {
      const signUp = tryCode.get(id, now());
      if (signUp?.code !== code) return undefined;
      const session = randomUUID();
      end.run(id);
      insertSession.run(session, signUp.email);
      return session;
    },

    /** The address of a session; undefined if there is no such session. */
    emailOf: (session: string | undefined): string | undefined => selectSession.get(session ?? '')?.email,
  };
}
