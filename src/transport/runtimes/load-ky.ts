/** Only the used part of ky, so that bundlers drop the rest. */
export { default as ky } from 'ky';
