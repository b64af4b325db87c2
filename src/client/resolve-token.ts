import { hasNode, isBrowser, pageAddress } from '../core/platform.ts';
import { invalid } from '../core/rules.ts';
import { missing } from '../core/variables.ts';
import { checkToken } from '../transport/attempt.ts';
import type { CallConfig } from '../transport/config.ts';
import { read } from './environment.ts';
import type { EmailPlatformOptions } from './options.ts';

/** The token; undefined if a proxy on the page's own origin adds it. */
export function resolveToken(options: EmailPlatformOptions, hosts: CallConfig['hosts']): CallConfig['token'] {
  const { value: token, label } = read('token', options.token);
  const addresses = Object.values(hosts);
  const isOnPageOrigin = (address: string) => new URL(address).origin === pageAddress()?.origin;
  // Only a proxy on the page's own origin can add the token.
  if (token === undefined && addresses.length > 0 && addresses.every(isOnPageOrigin)) return undefined;
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    // A page with Node's `process` is emulated, for example by jsdom.
    const inTest = hasNode() ? '; in a test, run this file in the node environment' : '';
    const todo = `point hosts at a proxy on the page's own origin that adds it, or set dangerouslyAllowBrowser${inTest}`;
    throw invalid('token', `must not be used in a browser, where every visitor can read it: ${todo}`);
  }
  if (token === undefined) throw missing('token');
  if (token === '') throw missing('token', 'is empty');
  if (typeof token !== 'function') checkToken(token, label);
  return token;
}
