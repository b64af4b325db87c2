// What the test here uses of Auth.js, which the project is compiled without: see peers.d.mts.
export { Auth } from '@auth/core';
