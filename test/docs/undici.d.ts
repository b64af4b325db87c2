/** The guide's proxy agent. Its types are here, with Node's, although undici itself is not. */
declare module 'undici' {
  export * from 'undici-types';
}
