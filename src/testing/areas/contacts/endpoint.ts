import type { Route } from '../../route.ts';

/** An endpoint under `/contacts`. */
export type ContactEndpoint = Omit<Route, 'path' | 'pool' | 'permission'> & { readonly tail: string };
