/** Of ky only what is used, so that bundlers leave out the rest. Loaded at the first call: it creates a Request as it loads. */
export { default as ky } from 'ky';
