import type { Form } from '../../route.ts';

/** What all endpoints of the sandbox have in common. */
export const SANDBOX = { area: 'sandbox' } as const;

/** What the wrapper of a test inbox's fields is called in each form. */
export const WRAPPERS: Readonly<Record<Form, string>> = { token: 'sandbox', account: 'inbox' };
