/**
 * Re-exports only the used part of ky, so that bundlers drop the rest. Loaded at the first call: ky creates a Request
 * as it loads.
 */
export { default as ky } from 'ky';
