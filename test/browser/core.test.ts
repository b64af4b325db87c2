import { coreSuite } from './core-suite.ts';

coreSuite('document' in globalThis ? { dangerouslyAllowBrowser: true } : {});
